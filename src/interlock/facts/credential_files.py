"""The files in which programs keep credentials, as path globs: one table for rules, kinds of places and tests.

`CREDENTIALS` are files and folders that contain little else; no task needs to read them. `LIKELY` are files that
usually contain credentials among other things, and that people do work on. `PUBLIC` and `SAMPLES` lie beside them, or
are called like them, and contain none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

__all__ = ["CREDENTIALS", "LIKELY", "PUBLIC", "SAMPLES", "TOOLS", "everyones"]

# What each program keeps, most of it below one's home.
TOOLS: dict[str, tuple[str, ...]] = {
    # Keys and sign-ins of the machine's own tools.
    "ssh": ("~/.ssh/",),
    "gnupg": ("~/.gnupg/",),
    "git": ("~/.git-credentials", "~/.config/git/credentials"),
    "netrc": ("~/.netrc", "~/_netrc", "~/.authinfo", "~/.authinfo.gpg"),
    "kerberos": ("~/.k5login", "~/.config/krb5.keytab"),
    "samba": ("~/.smbcredentials", "~/.smbpasswd", "~/.cifs*"),
    "vnc": ("~/.vnc/passwd", "~/.config/tigervnc/passwd"),
    "mail": (
        "~/.msmtprc", "~/.config/msmtp/config", "~/.fetchmailrc", "~/.offlineimaprc", "~/.mbsyncrc", "~/.thunderbird/",
    ),
    # Clouds.
    "aws": ("~/.aws/credentials", "~/.aws/sso/", "~/.aws/cli/cache/"),
    "azure": ("~/.azure/",),
    "gcloud": ("~/.config/gcloud/", "~/.boto", "~/.gsutil/"),
    "oci": ("~/.oci/",),
    "aliyun": ("~/.aliyun/config.json", "~/.ossutilconfig"),
    "tencent": ("~/.tccli/*.credential",),
    "ibmcloud": ("~/.bluemix/config.json",),
    "openstack": ("~/.config/openstack/clouds.yaml", "~/.config/openstack/secure.yaml"),
    "doctl": ("~/.config/doctl/config.yaml",),
    "hcloud": ("~/.config/hcloud/cli.toml",),
    "linode": ("~/.config/linode-cli",),
    "vultr": ("~/.vultr-cli.yaml",),
    "scaleway": ("~/.config/scw/config.yaml",),
    "civo": ("~/.civo.json",),
    "exoscale": ("~/.config/exoscale/exoscale.toml",),
    "upcloud": ("~/.config/upctl.yaml",),
    "s3cmd": ("~/.s3cfg", "~/.passwd-s3fs"),
    "minio": ("~/.mc/config.json",),
    "rclone": ("~/.config/rclone/rclone.conf", "~/.rclone.conf"),
    "backblaze": ("~/.b2_account_info", "~/.config/b2/"),
    # Hosting and other services.
    "vercel": ("~/.vercel/auth.json", "~/.local/share/com.vercel.cli/auth.json", "~/.now/auth.json"),
    "netlify": ("~/.netlify/config.json", "~/.config/netlify/config.json"),
    "fly": ("~/.fly/config.yml", "~/.config/fly/config.yml"),
    "heroku": ("~/.local/share/heroku/",),
    "railway": ("~/.railway/config.json",),
    "render": ("~/.render/cli.yaml",),
    "firebase": ("~/.config/configstore/firebase-tools.json",),
    "supabase": ("~/.supabase/access-token",),
    "wrangler": (
        "~/.wrangler/config/default.toml", "~/.config/.wrangler/config/default.toml", "~/.cloudflared/*.json",
        "~/.cloudflared/cert.pem",
    ),
    "stripe": ("~/.config/stripe/config.toml",),
    "twilio": ("~/.twilio-cli/config.json",),
    "sentry": ("~/.sentryclirc",),
    "tailscale": ("~/.local/share/tailscale/",),
    "planetscale": ("~/.config/planetscale/",),
    "neon": ("~/.config/neonctl/credentials.json",),
    "turso": ("~/.config/turso/settings.json",),
    "shopify": ("~/.config/shopify-cli-*/config.json",),
    "slack": ("~/.slack/credentials.json", "~/.config/Slack/"),
    "discord": ("~/.config/discord/",),
    "atlassian": ("~/.config/acli/", "~/.acli/"),
    "doppler": ("~/.doppler/.doppler.yaml",),
    "infisical": ("~/.infisical/",),
    # Code forges.
    "gh": ("~/.config/gh/hosts.yml",),
    "glab": ("~/.config/glab-cli/config.yml",),
    "hub": ("~/.config/hub",),
    "lab": ("~/.config/lab/lab.toml",),
    "tea": ("~/.config/tea/config.yml",),
    "circleci": ("~/.circleci/cli.yml",),
    "travis": ("~/.travis/config.yml",),
    "buildkite": ("~/.config/bk.yaml",),
    # Containers and clusters.
    "docker": ("~/.docker/config.json", "~/.dockercfg"),
    "podman": ("~/.config/containers/auth.json", "**/containers/auth.json"),
    "kubernetes": ("~/.kube/config", "~/.kube/*.y*ml", "~/.kube/*.conf", "~/.kube/cache/oidc-login/"),
    "minikube": ("~/.minikube/**/*.key",),
    "helm": ("~/.config/helm/registry/config.json", "~/.cache/helm/registry.json"),
    "argocd": ("~/.config/argocd/config", "~/.argocd/config"),
    "rancher": ("~/.rancher/cli2.json",),
    "talos": ("~/.talos/config",),
    # Infrastructure.
    "terraform": ("~/.terraform.d/credentials*", "~/.terraformrc"),
    "pulumi": ("~/.pulumi/credentials.json",),
    "vault": ("~/.vault-token",),
    "nomad": ("~/.nomad-token",),
    "chef": ("~/.chef/*.pem",),
    "ansible": ("~/.ansible/vault_pass*", "~/.vault_pass*"),
    # Databases and data.
    "postgres": ("~/.pgpass", "~/.pg_service.conf"),
    "mysql": ("~/.my.cnf", "~/.mylogin.cnf"),
    "mongo": ("~/.config/mongodb/mongosh/config", "~/.atlascli/", "~/.config/atlascli/config.toml"),
    "snowflake": (
        "~/.snowsql/config", "~/.snowflake/connections.toml", "~/.snowflake/config.toml", "~/.config/snowflake/",
    ),
    "databricks": ("~/.databrickscfg",),
    "dbt": ("~/.dbt/profiles.yml",),
    "kaggle": ("~/.kaggle/kaggle.json", "~/.config/kaggle/kaggle.json"),
    "influx": ("~/.influxdbv2/configs",),
    "confluent": ("~/.confluent/config.json",),
    # Package indexes.
    "poetry": ("~/.config/pypoetry/auth.toml",),
    "pypi": ("~/.pypirc",),
    "cargo": ("~/.cargo/credentials", "~/.cargo/credentials.toml"),
    "gem": ("~/.gem/credentials", "~/.local/share/gem/credentials", "~/.bundle/config"),
    "maven": ("~/.m2/settings-security.xml",),
    "composer": ("~/.composer/auth.json", "~/.config/composer/auth.json"),
    "nuget": ("~/.nuget/NuGet/NuGet.Config", "~/.config/NuGet/NuGet.Config"),
    "hex": ("~/.hex/hex.config",),
    "conda": ("~/.continuum/", "~/.config/binstar/"),
    "pub": ("~/.config/dart/pub-credentials.json", "~/.pub-cache/credentials.json"),
    # Models and agents.
    "anthropic": ("~/.claude/.credentials.json", "~/.anthropic/", "~/.config/anthropic/"),
    "openai": ("~/.codex/auth.json", "~/.openai/", "~/.config/openai/"),
    "gemini": ("~/.gemini/oauth_creds.json", "~/.qwen/oauth_creds.json"),
    "copilot": ("~/.config/github-copilot/hosts.json", "~/.config/github-copilot/apps.json"),
    "opencode": ("~/.local/share/opencode/auth.json",),
    "llm": ("~/.config/io.datasette.llm/keys.json", "~/Library/Application Support/io.datasette.llm/keys.json"),
    "huggingface": ("~/.huggingface/token", "~/.cache/huggingface/token", "~/.cache/huggingface/stored_tokens"),
    # Password managers.
    "pass": ("~/.password-store/", "~/.local/share/gopass/"),
    "keyrings": ("~/.local/share/keyrings/", "~/.local/share/kwalletd/", "~/Library/Keychains/", "/Library/Keychains/"),
    "1password": ("~/.config/op/", "~/.config/1Password/", "**/*.agilekeychain/", "**/*.opvault/"),
    "bitwarden": ("~/.config/Bitwarden/", "~/.config/Bitwarden CLI/"),
    "keepass": ("~/.config/keepassxc/", "*.kdbx", "*.kdb"),
    "lastpass": ("~/.local/share/lpass/", "~/.lpass/"),
    "authy": ("~/.config/Authy Desktop/",),
    "age": ("~/.config/sops/age/keys.txt", "~/.config/age/", "~/.age/"),
    # Browsers: sessions, saved passwords and history.
    "firefox": (
        "~/.mozilla/firefox/", "~/snap/firefox/common/.mozilla/", "~/.var/app/org.mozilla.firefox/.mozilla/",
        "~/Library/Application Support/Firefox/", "~/.librewolf/", "~/.waterfox/", "~/.zen/", "~/.tor-browser/",
    ),
    "chrome": (
        "~/.config/google-chrome*/", "~/.config/chromium/", "~/snap/chromium/common/chromium/",
        "~/.var/app/com.google.Chrome/config/", "~/Library/Application Support/Google/Chrome/",
        "~/Library/Application Support/Chromium/",
    ),
    "brave": ("~/.config/BraveSoftware/", "~/Library/Application Support/BraveSoftware/"),
    "edge": ("~/.config/microsoft-edge*/", "~/Library/Application Support/Microsoft Edge/"),
    "opera": ("~/.config/opera/", "~/.config/vivaldi/", "~/Library/Application Support/Vivaldi/",
              "~/Library/Application Support/com.operasoftware.Opera/", "~/Library/Application Support/Arc/"),
    "safari": ("~/Library/Safari/*.db", "~/Library/Safari/*.plist", "~/Library/Cookies/"),
    # Wallets.
    "bitcoin": ("~/.bitcoin/", "~/.litecoin/", "~/.dogecoin/", "~/.dashcore/", "~/.zcash/", "wallet.dat"),
    "ethereum": ("~/.ethereum/", "~/.foundry/keystores/", "~/.brownie/accounts/"),
    "electrum": ("~/.electrum/", "~/.config/Exodus/", "~/.config/Ledger Live/", "~/.config/atomic/"),
    "solana": ("~/.config/solana/",),
    "monero": ("~/.bitmonero/", "~/Monero/wallets/"),
    "sui": ("~/.sui/sui_config/sui.keystore", "~/.aptos/config.yaml", "~/.near-credentials/"),
}  # fmt: skip

# What a machine keeps for everybody.
_MACHINE = (
    "/etc/shadow", "/etc/shadow-", "/etc/shadow.*", "/etc/gshadow", "/etc/gshadow-", "/etc/master.passwd",
    "/etc/spwd.db", "/etc/security/opasswd", "/etc/sudoers", "/etc/sudoers.d/", "/etc/ssh/*_key", "/etc/krb5.keytab",
    "/etc/ipsec.secrets", "/etc/ipsec.d/private/", "/etc/swanctl/private/", "/etc/ppp/*-secrets", "/etc/wireguard/",
    "/etc/openvpn/**/*.{ovpn,key,conf}", "/etc/wpa_supplicant/", "/etc/NetworkManager/system-connections/",
    "/etc/letsencrypt/**/privkey*.pem", "/etc/letsencrypt/accounts/", "/etc/ssl/private/", "/etc/pki/tls/private/",
    "/etc/kubernetes/*.conf", "/etc/kubernetes/pki/**/*.key", "/etc/rancher/", "/var/lib/rancher/k3s/server/**/*token",
    "/var/lib/rancher/k3s/server/cred/", "/var/lib/kubelet/pki/", "/etc/vault.d/", "/etc/gitlab/gitlab-secrets.json",
    "/etc/gitlab-runner/config.toml", "/var/lib/jenkins/secrets/", "/var/lib/jenkins/credentials.xml",
    "/var/jenkins_home/secrets/", "/var/jenkins_home/credentials.xml", "/etc/mysql/debian.cnf",
    "/etc/pgbouncer/userlist.txt", "/etc/postfix/sasl_passwd*", "/etc/exim4/passwd.client", "/etc/dovecot/private/",
    "/etc/samba/smbpasswd", "/var/lib/samba/private/", "/etc/rndc.key", "/etc/bind/rndc.key", "/etc/salt/pki/**/*.pem",
    "/etc/puppetlabs/puppet/ssl/private_keys/", "/var/lib/docker/swarm/certificates/", "/run/secrets/",
    "/var/run/secrets/", "/proc/*/environ", "/proc/*/mem", "/proc/kcore", "/dev/mem", "/var/db/dslocal/", "/.oci/",
    "**/System32/config/{SAM,SYSTEM,SECURITY}", "**/ntds.dit", "**/NTDS.dit",
    "**/AppData/Local/Google/Chrome/User Data/", "**/AppData/Local/Microsoft/Edge/User Data/",
    "**/AppData/Roaming/Mozilla/Firefox/Profiles/", "**/AppData/Roaming/gcloud/",
    "**/AppData/{Local,Roaming}/Microsoft/Credentials/", "**/AppData/Roaming/Microsoft/Protect/",
    "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*",
)  # fmt: skip

# They usually contain credentials, among other things, and may be anybody's work.
LIKELY: tuple[str, ...] = (
    ".env", ".env.*", "*.env", ".dev.vars", ".dev.vars.*", "*.pem", "*.key", "*.p8", "*.p12", "*.pfx", "*.jks",
    "*.keystore", "*.ppk", "*.ovpn", ".netrc", "_netrc", ".pgpass", ".my.cnf", ".pypirc", ".git-credentials",
    ".htpasswd", ".vault_pass*", ".vault-pass*", "vault_pass*", "vault-pass*", "rclone.conf",
    "credentials.{json,txt,csv,xml,ini,toml,yml,yaml,env}", "*[_-]credentials.json",
    "passwords.{txt,csv,json,xml,ini,yml,yaml}", "~/.ngrok2/ngrok.yml", "~/.config/ngrok/ngrok.yml",
    "service-account*.json", "service_account*.json", "serviceAccount*.json", "client_secret*.json",
    "secrets.{json,toml,env,txt,yml,yaml}", "secret.{json,toml,env,txt}", "deploy_key", "key.properties",
    "terraform.tfvars", "terraform.tfvars.json", "*.auto.tfvars", "*.auto.tfvars.json", "secret*.tfvars",
    "terraform.tfstate", "terraform.tfstate.backup", "kubeconfig", "kubeconfig.y*ml", "*.kubeconfig", "wp-config.php",
    "local.settings.json", "gitlab-secrets.json", "~/.npmrc", "~/.yarnrc.yml", "~/.m2/settings.xml",
    "~/.gradle/gradle.properties", "~/.aws/", "~/.config/wandb/settings", "~/.bash_history", "~/.zsh_history",
    "~/.*_history", "~/.history", "~/.local/share/fish/fish_history", "~/.config/configstore/*",
)  # fmt: skip

# They lie where credentials do, and everybody may know them.
PUBLIC: tuple[str, ...] = (
    "*.pub", "known_hosts", "known_hosts.*", "**/.ssh/config", "**/.ssh/config.d/", "authorized_keys",
    "**/.ssh/allowed_signers", "**/.ssh/README*", "**/.ssh/*.md", "**/.gnupg/*.conf", "**/.gnupg/README*",
    "**/.config/gcloud/configurations/", "**/.config/gcloud/active_config", "**/.azure/config",
    "**/.azure/clouds.config", "id_*.{go,py,ts,js,rs,c,h,java,rb,md}",
)  # fmt: skip

# They show what such a file looks like, are half of a pair that everybody may know, or belong to tests.
_FOR_TESTS = (
    "{test,tests,testing,testdata,test-data,test_data,fixtures,__fixtures__,spec,specs,examples,mocks,node_modules}"
)
SAMPLES: tuple[str, ...] = (
    ".env.example", ".env.sample", ".env.template", ".env.dist", ".env.test", ".env.defaults", "*.example", "*.sample",
    "*.template", "*.dist", "example.*", "sample.*", "*.pub", "public.{key,pem}", "*[._-]public.{key,pem}",
    "*[._-]pub.{key,pem}", "pubkey.pem", "cacert.pem", "ca.pem", "cert.pem", "fullchain.pem", "chain.pem",
    "*.crt.pem", "ca-*.pem", "ca[_-]bundle.pem", "*[._-]cert.pem", "*[._-]chain.pem",
    *(f"**/{_FOR_TESTS}/**/*.{kind}" for kind in ("pem", "key", "p8", "p12", "pfx", "jks", "keystore")),
)  # fmt: skip

_HOMES = ("~/", "/root/", "/home/*/", "/Users/*/")


def everyones(globs: Iterable[str]) -> Iterator[str]:
    """Globs below one's own home, for the homes of everybody."""
    for glob in globs:
        if glob.startswith("~/"):
            yield from (home + glob[2:] for home in _HOMES)
        else:
            yield glob


# What somebody who looks through other people's homes looks for; the rest is found in one's own.
_SOUGHT = (
    "ssh", "gnupg", "git", "netrc", "aws", "azure", "gcloud", "oci", "gh", "docker", "kubernetes", "vault", "postgres",
    "mysql", "pass", "rclone",
)  # fmt: skip
CREDENTIALS: tuple[str, ...] = (
    *everyones(glob for tool in _SOUGHT for glob in TOOLS[tool]),
    *(glob for tool, globs in TOOLS.items() if tool not in _SOUGHT for glob in globs),
    *_MACHINE,
)
