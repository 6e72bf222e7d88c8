"""Hosting platforms, and services that others use: deploys, flags, mail, payments, pipelines."""

from __future__ import annotations

from interlock.facts.programs.services import service
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]

_LOCAL_DEV = "runs-project network"
_DEPLOY = "cloud/changes cloud/deploys"
_SEND = "cloud/changes notifies"

TABLE: Table = {
    "vercel now": service("cloud", {
        "cloud/changes": ", git",
        _LOCAL_DEV: "dev",
        "runs-project": "build",
        _DEPLOY: "deploy, redeploy, alias",
        "downloads": "pull",
        "writes-secret downloads": "env pull",
        "read-only": "env ls, bisect",
        "changes": "link",
        "signs-in": "login, logout",
    }, {"--prod": _DEPLOY, "--production": _DEPLOY}),
    "netlify ntl": service("cloud", {
        _LOCAL_DEV: "dev, serve, functions:serve",
        "runs-project": "build",
        _DEPLOY: "deploy",
        "changes": "link, unlink, init, recipes, completion",
        "signs-in": "login, logout",
        "reads-secret": "env:list, env:get",
        "writes-secret cloud/changes cloud/deploys": "env:set, env:import",
        "network": "functions:invoke",
        "read-only": "open",
    }),
    "firebase": service("cloud", {
        _DEPLOY: "deploy, hosting:clone, hosting:channel:deploy",
        _LOCAL_DEV: "serve, emulators:start, emulators:exec, functions:shell",
        "changes": "emulators:export, init, use, target:apply",
        "signs-in": "login, logout",
        "signs-in reads-secret": "login:ci",
        "read-only": "login:list, functions:secrets:get, database:profile, experiments:list, apps:sdkconfig",
        "reads-secret": "functions:config:get, functions:secrets:access",
        "cloud/changes cloud/deploys": "functions:config:set, database:set, database:update",
        "cloud/changes": "database:push",
        "cloud/changes cloud/access": "auth:import",
        "downloads": "auth:export, setup:emulators:firestore",
    }),
    "heroku": service("cloud", {
        "read-only":
            "apps, addons, ps, logs, releases, domains, buildpacks, pg, redis, regions, plugins, labs, "
            "features, drains, pipelines, members, access, certs, keys, teams, status, auth:whoami, pg:backups, "
            "pg:outliers, pg:locks, pg:diagnose, open, maintenance, webhooks",
        _LOCAL_DEV: "local",
        "reads-secret": "auth:token, config, config:get, pg:credentials:url",
        "signs-in": "login, logout",
        "writes-secret cloud/deploys": "config:edit",
        "writes-secret cloud/changes cloud/deploys": "config:set",
        "database/writes cloud/runs": "pg:psql, redis:cli",
        "database/restores": "pg:copy, pg:push, pg:backups:restore",
        "downloads": "pg:pull, pg:backups:download",
        "cloud/changes": "pg:backups:capture, create, ci:run",
        "cloud/deletes": "pg:killall",
        "cloud/runs": "ps:exec",
        "changes": "git:clone, git:remote",
        "publishes-package": "container:push",
        _DEPLOY: "container:release, maintenance:on, maintenance:off",
        "cloud/access": "access:add",
        "installs-package": "plugins:install, update",
    }),
    "fly flyctl": service("cloud", {
        _DEPLOY: "deploy, launch",
        "signs-in": "auth login, auth logout",
        "reads-secret": "auth token",
        "read-only":
            "auth whoami, config env, config show, config validate, apps open, secrets list, platform regions, "
            "platform vm-sizes, ips list, scale show, logs, status, doctor, dashboard, checks list",
        "cloud/runs": "ssh console, ssh sftp",
        "network/tunnels": "proxy, wireguard",
        "changes": "config save",
        "database/writes cloud/runs": "postgres connect, pg connect",
    }),
    "railway": service("cloud", {
        _DEPLOY: "up, redeploy",
        "cloud/deletes": "down, delete",
        _LOCAL_DEV: "run, dev",
        "reads-secret interactive": "shell",
        "signs-in": "login, logout",
        "changes": "link, unlink, service, environment",
        "reads-secret": "variables",
        "read-only": "open",
        "database/writes cloud/runs": "connect",
        "cloud/runs": "ssh",
    }, {"--set": "cloud/changes cloud/deploys"}),
    "render": service("cloud", {
        "signs-in": "login",
        _DEPLOY: "deploys create",
        "database/writes cloud/runs": "psql",
        "cloud/runs": "ssh",
    }),
    "surge gh-pages": act("publishes-package cloud/deploys network", "*", subs={
        "list whoami help plans": look("*", "text*", "network"), "login logout": act("signs-in", "*"),
        "teardown": act("cloud/deletes network", "*"), "*": act("publishes-package cloud/deploys network",
            "*", "mention*")}),
    "wrangler": service("cloud", {
        _LOCAL_DEV: "dev, pages dev",
        _DEPLOY: "deploy, publish, pages deploy, pages publish, triggers deploy",
        "changes": "init, generate, types, d1 migrations create, telemetry",
        "signs-in": "login, logout",
        "read-only":
            "tail, pages project list, check, secret list, d1 migrations list, d1 info, kv key get, docs, "
            "queues list, hyperdrive list, ai models, deployments",
        "writes-secret cloud/changes cloud/deploys": "secret put, secret bulk, secret:bulk",
        "cloud/changes": "versions upload, r2 object put, kv key put, kv bulk put, cert upload",
        "downloads": "d1 export, r2 object get",
        "database/writes": "d1 migrations apply, d1 execute",
        "database/restores": "d1 time-travel restore",
    }, {"--remote": "cloud/deploys"}),
    "supabase": service("cloud", {
        "changes":
            "init, link, unlink, migration new, migration squash, migration fetch, functions new, bootstrap",
        "container/changes": "start, stop, db start",
        "read-only":
            "status, db diff, db lint, migration list, gen, storage ls, services, secrets list, inspect, "
            "snippets",
        "database/deletes": "db reset, migration down",
        "database/writes cloud/deploys": "db push, migration repair",
        "downloads": "db pull, db dump, functions download",
        "database/writes": "db query, migration up",
        _LOCAL_DEV: "functions serve",
        _DEPLOY: "functions deploy, config push",
        "signs-in": "login, logout",
        "cloud/changes": "seed buckets, storage cp, storage mv, postgres-config",
        "cloud/deletes": "storage rm",
        "runs-project": "test",
        "writes-secret cloud/changes cloud/deploys": "secrets set",
    }),
    "serverless sls serverless-compose": service("cloud", {
        "infra/applies cloud/changes cloud/deploys": "deploy",
        "read-only": "deploy list, print, info, logs, metrics, plugin list",
        "infra/destroys cloud/deletes": "remove",
        "runs-project": "package, invoke local, test",
        _LOCAL_DEV: "offline, dev",
        "cloud/runs": "invoke",
        "changes": "create, plugin",
        "downloads": "install",
        "writes-secret": "config",
        "signs-in": "login",
        "infra/applies cloud/deploys": "rollback",
    }),
    "sam": service("cloud", {
        "changes": "init, pipeline",
        "runs-project": "build",
        "read-only": "validate, logs, traces, list, docs",
        "runs-project container/runs": "local",
        "cloud/changes": "package",
        "infra/applies cloud/changes": "deploy, sync",
        "infra/destroys cloud/deletes": "delete",
        "publishes-package": "publish",
        "cloud/runs": "remote",
    }),
    "copilot eb ecs-cli amplify chalice zappa sst arc architect": service("cloud", {
        "changes": "init, use, codegen, configure, generate-pipeline",
        "cloud/changes infra/applies": "create",
        "infra/applies cloud/changes":
            "deploy, up, compose, push, publish, update, svc deploy, job deploy, env deploy",
        "infra/destroys cloud/deletes":
            "down, terminate, remove, delete, undeploy, app delete, svc delete, env delete",
        "cloud/changes": "env",
        _LOCAL_DEV: "local, dev, sandbox, local run, mock",
        "cloud/runs": "ssh",
        "read-only": "open, tail, ps, gen-policy",
        "reads-secret": "printenv",
        "cloud/runs interactive": "shell",
        "runs-project": "package",
    }),
    "cdktf": service("cloud", {
        "changes": "init",
        "downloads": "get, provider add",
        "runs-project": "synth",
        "infra/plans runs-project": "diff, plan",
        "infra/applies cloud/changes": "deploy, apply, watch",
        "infra/destroys cloud/deletes": "destroy",
        "read-only": "convert, list, output, debug",
    }),
    "dokku": service("cloud", {
        "read-only": "logs",
        "reads-secret": "config, config:show",
        "cloud/runs": "enter",
        "writes-secret cloud/changes cloud/deploys": "config:set",
        _DEPLOY: "git:sync, git:from-image, ps:rebuild",
    }),
    "kamal": service("cloud", {
        "read-only": ", config, details, audit, docs, app logs, proxy logs, lock status",
        _DEPLOY: "deploy, redeploy, setup, rollback",
        "cloud/deletes": "remove",
        "changes": "init",
        "reads-secret": "secrets",
        "writes-secret": "env",
        "signs-in": "registry",
        "cloud/runs": "server exec, app exec, accessory exec",
        "publishes-package": "build push, build deliver",
    }),
    "caprover coolify ploi vapor laravel-forge forge-cli upsun clever koyeb zeabur northflank gigalixir scalingo "
    "pythonanywhere cargo-shuttle deployctl porkbun dnscontrol": service("cloud", {
        "signs-in": "login, logout",
        _DEPLOY: "deploy",
        "infra/applies cloud/changes cloud/deploys": "push",
        _LOCAL_DEV: "run",
        "changes": "init",
        "read-only": "preview, activity:list",
        "runs-project": "test, build",
        "cloud/runs": "ssh, environment:ssh",
        "downloads": "db:dump",
    }),
    "eas expo-cli": service("cloud", {
        "read-only": "build:list, build:view, env:list, channel:list",
        "cloud/changes": "build",
        "publishes-package cloud/deploys": "submit, update",
        "signs-in": "login, logout",
        "changes": "init, build:configure",
        "writes-secret": "credentials",
        _LOCAL_DEV: "start, build:run",
        "publishes-package": "publish, metadata:push",
        "writes-secret downloads": "env:pull",
    }),
    "appcenter twilio sendgrid mailgun postmark courier resend slack-cli": service("cloud", {
        "signs-in": "login, logout",
        _SEND: "api:core:messages:create, api:core:calls:create, email:send, emails send",
        "read-only": "phone-numbers:list, profiles:list",
        "cloud/changes cloud/deploys": "phone-numbers:buy:local",
    }),
    "stripe": service("cloud", {
        "network": "listen",
        "cloud/changes": "trigger",
        "signs-in": "login, logout",
        "read-only": "logs tail, resources, get, open",
        "reads-secret": "config",
        "changes": "samples",
        _LOCAL_DEV: "serve",
        "cloud/changes cloud/deploys":
            "post, refunds create, charges create, payouts create, transfers create, payment_intents confirm, "
            "payment_intents capture, invoices pay",
        "cloud/deletes": "delete",
    }, {"--live": "cloud/deploys"}),
    "algolia ldcli launchdarkly ld-cli unleash unleash-cli flagsmith configcat statsig optimizely growthbook "
    "posthog": service("cloud", {
        "signs-in": "login",
        _DEPLOY: "flags toggle-on, flags toggle-off",
        _LOCAL_DEV: "dev-server",
        "cloud/changes cloud/deploys": "objects import",
        "read-only": "search, objects browse, open, describe",
        "changes": "profile",
    }),
    "pd pagerduty datadog-ci newrelic sentry-cli honeybadger rollbar opsgenie victorops statuspage checkly "
    "betteruptime grafana grafana-cli logcli tempo-cli mimirtool cortextool thanos vmctl": service("cloud", {
        "signs-in": "login",
        _SEND: "incident create",
        "cloud/changes cloud/deploys": "incident ack, incident resolve",
        "read-only":
            "query, labels, series, plugins ls, plugins list-remote, cli plugins ls, info, releases list, rules "
            "lint, rules diff, rules check, analyze, tools bucket ls",
        "installs-package": "plugins install, cli plugins install",
        "removes-package cloud/deletes": "cli plugins remove, plugins remove, plugins uninstall",
        "users writes-secret": "admin reset-admin-password, cli admin reset-admin-password",
        "cloud/changes":
            "junit upload, sourcemaps upload, synthetics run-tests, send-event, releases new, releases "
            "finalize, metric post, event post",
        "changes": "rules prepare",
        _DEPLOY: "rules load",
        "service": "receive, store, server",
        "runs-project": "test",
    }),
    "amtool": service("cloud", {
        "read-only":
            "check-config, alert, alert query, silence, silence query, config routes, config show, cluster show",
        _DEPLOY: "silence add",
        _SEND: "alert add",
    }),
    "promtool": service("cloud", {
        "read-only": "check, test, query, promql format, tsdb analyze, tsdb list, tsdb dump",
        "downloads": "debug",
        "changes": "tsdb bench",
        "database/writes database/restores": "tsdb create-blocks-from",
        "cloud/changes": "push metrics",
    }),
    "jenkins-cli jcli": service("forge", {
        "forge/writes cloud/runs": "build",
        "cloud/runs": "groovy",
        "read-only": "console, who-am-i, list-jobs, get-job",
        "forge/writes cloud/deploys":
            "safe-restart, restart, quiet-down, install-plugin, update-job, reload-configuration",
        "forge/deletes": "safe-shutdown, shutdown, offline-node, disable-job",
        "forge/writes": "create-job",
    }),
    "circleci travis drone woodpecker-cli buildkite-agent bk appveyor semaphore sem codefresh bitrise teamcity "
    "spacelift spacectl env0 octopus octo": service("forge", {
        "read-only":
            "config validate, config process, config pack, lint, branches, history, meta-data get, orb "
            "validate, orb info, open",
        "runs-project container/runs": "local execute",
        "runs-project": "exec",
        "signs-in": "login",
        "writes-secret": "setup",
        "forge/writes cloud/deploys":
            "pipeline run, pipeline trigger, pipeline upload, build trigger, build restart, build promote, "
            "deploy-release, release deploy",
        "writes-secret forge/writes cloud/access": "context store-secret, env set, secret add",
        "encrypts": "encrypt",
        "service": "start",
        "forge/writes": "annotate, meta-data set, artifact upload",
        "downloads": "artifact download",
        "publishes-package": "orb publish",
        "infra/applies": "stack deploy",
        "infra/plans": "stack local-preview",
    }),
    "shopify": service("cloud", {
        _DEPLOY: "theme push, theme publish, app deploy, hydrogen deploy",
        _LOCAL_DEV: "theme dev, theme serve, app dev, hydrogen dev, hydrogen preview",
        "downloads": "theme pull",
        "read-only": "theme check, version",
        "runs-project": "app build, hydrogen build, app function run",
        "changes": "app generate, theme init, theme package, app init",
        "cloud/changes": "theme share",
        "signs-in": "auth login, auth logout, login",
    }),
    "nova cinder glance neutron keystone ironic manila designate trove barbican magnum octavia": service("cloud", {
        "reads-secret": "secret get",
        "cloud/changes": "post, boot",
    }),
    "flarectl cf-terraforming gandi gandi-cli cli53 lexicon octodns-sync godaddy namecheap dnsimple": service("cloud", {
        "cloud/changes infra/state": "import",
        "read-only": "generate, export, ips, zone info",
        "cloud/changes cloud/deploys": "rrcreate, dns create, dns c, dns u, dns o",
        "cloud/deletes": "rrdelete, rrpurge, dns d",
        "cloud/access": "firewall rules create",
    }),
    "pdnsutil pdns_control": service("cloud", {
        "read-only": "list-zone, list-all-zones, check-zone, check-all-zones, show-zone, list-keys, rping, version, "
            "uptime, get-meta, list, show",
        "cloud/changes cloud/deploys": "add-record, replace-rrset, load-zone, edit-zone, create-zone, set-kind, "
            "set-meta, secure-zone, "
            "rectify-zone, import-zone-key, reload, increase-serial, activate-zone-key",
    }),
    "huggingface-cli hf": service("cloud", {
        "downloads": "download",
        "publishes-package cloud/changes": "upload, upload-large-folder",
        "signs-in": "login, logout, auth login, auth logout",
        "read-only": "whoami, auth whoami, env, scan-cache, cache scan, cache ls",
        "changes": "delete-cache, cache delete, cache rm, cache prune",
        "cloud/changes": "tag, repo create",
        "cloud/runs": "jobs run",
        "cloud/deletes": "repo-files delete",
    }),
    "maas juju bosh charmcraft rockcraft": service("cloud", {
        "read-only":
            "status, models, controllers, clouds, show-model, debug-log, machines, environments, envs, "
            "deployments, vms, instances, stemcells, releases, cloud-config, runtime-config, tasks, task, "
            "manifest, locks, errands, int, interpolate",
        "changes": "switch, alias-env, pack, init, clean",
        "infra/applies cloud/changes":
            "deploy, bootstrap, add-unit, refresh, config, integrate, relate, update-cloud-config, recreate, "
            "create-env",
        "cloud/runs": "run, exec, scp, ssh, run-errand",
        "cloud/access": "expose",
        "downloads": "logs",
        "signs-in": "login, log-in, log-out",
        "cloud/changes": "upload-stemcell, upload-release",
        "infra/applies": "cck",
        "infra/destroys cloud/deletes":
            "delete-env, delete-deployment, deld, destroy-model, destroy-controller, kill-controller",
        "publishes-package": "upload, release",
    }),
    "snapcraft": Program("*", "text*", "runs-project", subs={
        "upload push release promote close register set-default-track create-track": act("publishes-package network",
            "*"),
        "list status whoami list-revisions revisions tracks names help version expand-extensions list-plugins "
        "plugins": look("*", "text*", "network"),
        "login logout export-login": act("signs-in network", "*"), "clean": act("changes", "*"),
        "*": act("runs-project", "*")}),
}  # fmt: skip
