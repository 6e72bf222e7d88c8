"""Services whose command lines are groups, a verb and names."""

from __future__ import annotations

import pytest

from interlock.facts.programs.readers.cloud_verbs import find_verb, verb_of
from tests.facts.programs.reading import said, use


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("delete", "deletes"), ("delete-stack", "deletes"), ("sites:delete", "deletes"), ("cluster-delete", "deletes"),
        ("admin-delete-user", "deletes"), ("DeleteVpc", "deletes"), ("deleteVM", "deletes"), ("ecto.drop", "deletes"),
        ("describe-instances", "looks"), ("get-delete-marker", "looks"), ("ListBuckets", "looks"), ("what-if", "looks"),
        ("update-service", "deploys"), ("releases:rollback", "deploys"), ("create-queue", "makes"), ("queue", ""),
        ("my/delete", ""), ("open-port", "access"), ("authorize-security-group-ingress", "access"), ("pg:psql", ""),
    ],
)  # fmt: skip
def test_a_verb_is_found_in_its_word(word, kind):
    assert verb_of(word) == kind


@pytest.mark.parametrize(
    ("line", "verb"),
    [
        ("compute instances delete web", "delete"), ("logging logs delete syslog", "delete"),
        ("run services list", "list"),
        ("snapshot list", "list"), ("volume status", "status"), ("run deploy list", "deploy"), ("apps", "apps"),
    ],
)  # fmt: skip
def test_names_of_things_are_no_verbs(line, verb):
    words = line.split()
    assert words[find_verb(words)] == verb


@pytest.mark.parametrize(
    ("line", "has", "has_not"),
    [
        # hosting
        ("vercel --prod", "cloud/deploys", ""), ("vercel dev", "", "cloud/changes cloud/deploys"),
        ("vercel ls", "read-only", ""), ("vercel env rm KEY", "cloud/deletes", ""),
        ("heroku pg:reset DB", "cloud/deletes", ""),
        ("heroku logs -t", "read-only", ""), ("heroku config", "reads-secret", ""),
        ("heroku ps:scale web=0", "cloud/deploys", ""),
        ("fly apps destroy x --yes", "cloud/deletes", ""), ("fly secrets list", "read-only", "reads-secret"),
        ("wrangler d1 delete x", "cloud/deletes", ""), ("wrangler deploy", "cloud/deploys", ""),
        ("wrangler deploy --dry-run", "read-only", "cloud/deploys"),
        ("firebase firestore:delete --all-collections", "cloud/deletes", ""),
        ("netlify sites:list", "read-only", ""), ("railway down", "cloud/deletes", ""),
        ("supabase start", "", "cloud/changes"),
        ("serverless remove", "infra/destroys", ""), ("sam local invoke", "", "infra/applies cloud/changes"),
        ("aliyun ecs DeleteInstance --InstanceId x", "cloud/deletes", ""),
        ("az vm open-port -n x --port 80", "cloud/access", "read-only"),
        # clusters
        ("argocd app list", "read-only", ""), ("argocd app delete x", "cluster/deletes", ""),
        ("flux get all", "read-only", ""),
        ("nomad job plan x.nomad", "read-only", ""), ("nomad job stop x", "cluster/deletes", ""),
        ("consul kv get x", "read-only", ""),
        ("vault kv list secret/", "read-only", "reads-secret"), ("vault kv get secret/x", "reads-secret", ""),
        ("vault operator raft snapshot restore x", "database/restores", ""), ("minikube start", "", "cluster/changes"),
        ("minikube delete", "cluster/deletes", ""), ("kustomize build x", "read-only", ""),
        ("helmfile destroy", "cluster/deletes", ""),
        # secrets and machines
        ("op item list", "read-only", "reads-secret"), ("op item get x", "reads-secret", ""),
        ("doppler run -- ls", "", "reads-secret"),
        ("aws-vault list", "read-only", ""), ("aws-vault export x", "reads-secret", ""),
        ("virsh list", "read-only", ""),
        ("virsh undefine x", "container/removes virtual-machine", ""), ("multipass delete x", "container/removes", ""),
        # data
        ("kafka-topics.sh --list --bootstrap-server k:1", "read-only", ""),
        ("kafka-topics --delete --topic x", "database/deletes", ""),
        ("kafka-consumer-groups --group g --reset-offsets --to-earliest --execute", "database/deletes", ""),
        ("rabbitmqctl delete_vhost x", "database/deletes", ""), ("rabbitmqctl list_queues", "read-only", ""),
        ("influx bucket delete -n x", "database/deletes", ""), ("hdfs dfs -rm -r /x", "database/deletes", ""),
        ("hdfs dfs -ls /x", "read-only", ""),
        ("ceph status", "read-only", ""),
        ("airflow dags list", "read-only", ""), ("airflow db reset", "database/deletes", ""),
        ("mc rm --recursive x/y", "cloud/deletes", ""),
        # forward and back
        ("alembic downgrade base", "database/deletes", ""), ("alembic upgrade head", "", "database/deletes"),
        ("flyway -url=x clean", "database/drops", ""), ("flyway info", "read-only", ""),
        ("knex migrate:rollback --all", "database/deletes", ""),
        ("knex migrate:latest", "", "database/deletes"), ("prisma migrate reset", "database/deletes", ""),
        ("prisma migrate dev", "", "database/deletes"),
        ("mix ecto.drop", "database/deletes", ""), ("mix test", "", "database/deletes publishes-package"),
        ("django-admin flush", "database/deletes", ""),
        ("django-admin migrate x zero", "database/deletes", ""),
        ("migrate -path m -database x drop -f", "database/drops", ""),
        ("wp db reset --yes", "database/drops", ""), ("wp plugin list", "read-only", ""),
        ("drush status", "read-only", ""),
        ("restic forget --prune", "shreds", ""), ("restic snapshots", "read-only", ""),
        ("restic forget -n x", "read-only", "shreds"),
        ("borg delete x", "shreds", ""), ("kopia snapshot delete x", "shreds", ""),
        ("duplicity remove-older-than 1D x", "shreds", ""),
        # for everybody
        ("vsce publish", "publishes-package", ""), ("vsce ls", "read-only", ""),
        ("goreleaser release", "publishes-package", ""),
        ("goreleaser release --snapshot", "", "publishes-package"), ("mvn deploy", "publishes-package", ""),
        ("mvn package", "", "publishes-package"),
        ("gradle publish", "publishes-package", ""), ("gradle publishToMavenLocal", "", "publishes-package"),
        ("pod trunk push x", "publishes-package", ""),
        ("fastlane release", "publishes-package", ""), ("fastlane test", "", "publishes-package"),
        ("lerna publish", "publishes-package", ""),
        ("mix hex.publish", "publishes-package", ""), ("crane delete x", "publishes-package", ""),
        ("skopeo copy docker://x dir:y", "downloads", "publishes-package"),
        ("skopeo copy dir:y docker://x", "publishes-package", ""), ("crane append -o x -f y", "", "publishes-package"),
        ("docker stack rm x", "cluster/deletes", ""), ("docker compose down -v --dry-run", "", "container/prunes"),
        ("crictl images", "read-only", ""),
        ("ctr -n k8s.io containers delete x", "container/removes forced", ""),
        ("gh pr create -d", "", "git/deletes-remote"),
        ("gh pr close 1 -d", "git/deletes-remote", ""), ("gh repo edit --visibility public", "forge/deletes", ""),
        ("gh repo edit -d x", "", "forge/deletes"),
        ("gh api graphql -f 'query=mutation { deleteRef(input: {}) { x } }'", "forge/deletes", ""),
        ("psql -c 'UPDATE t SET a = 1'", "database/deletes", ""),
        ("psql -c 'UPDATE t SET a = 1 WHERE b = 2'", "database/writes", "database/deletes"),
        ("sqlite3 :memory: 'create table t(a); insert into t values(1)'", "", "database/drops"),
        ("redis-cli config set dir /x", "database/deletes", ""),
        ("redis-cli config get dir", "read-only", ""), ("cockroach node decommission 3", "database/deletes", ""),
        ("pg_ctl status", "read-only", ""),
        # only looks, or only here
        ("kubectl label pod x a=b", "changes", "cluster/changes"),
        ("kubectl label pod x a=b --overwrite", "cluster/changes", ""),
        ("kubectl label pods --all a=b", "cluster/changes", ""), ("kubectl annotate pod x a-", "cluster/changes", ""),
        ("kubectl port-forward pod/x 80", "", "network/tunnels"),
        ("kubectl port-forward pod/x 80 --address 0.0.0.0", "network/tunnels", ""),
        ("kubectl --context kind-dev apply -f x", "", "cluster/changes"),
        ("kubectl --context prod apply -f x", "cluster/changes", ""),
        ("kubectl --context kind-dev get pods", "read-only", ""),
        ("kubectl apply view-last-applied -f x", "read-only", ""),
        ("oc adm policy add-cluster-role-to-user a b", "cloud/access", ""), ("helm repo add x y", "", "package-source"),
        ("pulumi destroy --preview-only", "", "infra/destroys"), ("pulumi stack select x", "", "infra/state"),
        ("pulumi config get x", "reads-secret", ""),
        ("terragrunt run-all plan", "infra/plans", "infra/applies"),
        ("terragrunt run-all destroy", "infra/destroys", ""),
        ("puppet parser validate x", "read-only", ""), ("puppet apply --noop x", "read-only", "infra/applies"),
        ("salt '*' test.ping", "read-only", ""),
        ("salt '*' state.apply", "infra/applies", ""), ("knife node list", "read-only", ""),
        ("knife node delete x", "cloud/deletes", ""),
        ("nixos-rebuild switch", "infra/applies", ""), ("nixos-rebuild build", "", "infra/applies"),
        ("nh search x", "read-only", ""),
        ("packer validate x", "read-only", ""),
        ("apt-get update", "", "package-source"),
        ("brew install x", "installs-package", "system-package"),
        ("brew uninstall x", "removes-package system-package", ""),
        ("tlmgr option showall", "read-only", ""), ("tlmgr install x", "system-package", ""),
        ("eselect kernel list", "read-only", ""),
        ("eselect kernel set 2", "system-settings", "read-only"), ("dnf module list", "read-only", ""),
        ("dnf module install x", "installs-package", ""),
        ("caddy fmt", "read-only", "network/listens"), ("caddy run", "network/listens", ""),
        ("jupyter lab", "", "network/listens"),
        ("jupyter lab --ip 0.0.0.0", "network/listens", ""), ("cloudflared tunnel list", "read-only", ""),
        ("cloudflared tunnel run x", "network/tunnels", ""),
        ("curl -X DELETE https://x.example/1", "network/deletes", ""),
        ("curl -X DELETE http://localhost:3000/1", "", "network/deletes"),
        ("curl -XDELETE localhost:9200/x", "network/deletes", ""), ("xh delete x.example/1", "network/deletes", ""),
        ("http x.example", "", "network/deletes"),
        ("sops -d x.yaml", "reads-secret", ""), ("sops -e x.yaml", "", "reads-secret"),
        ("keepassxc-cli ls x", "read-only", ""),
        ("dotnet ef database drop", "database/deletes", ""), ("gem yank x", "publishes-package", ""),
        ("acmectl delete x", "told-to-delete", ""), ("acmectl delete x --dry-run", "", "told-to-delete"),
        ("acmectl show delete.log", "", "told-to-delete"),
        ("./acme.sh delete x", "", "told-to-delete"), ("acme apps:destroy x", "told-to-delete", ""),
        ("acme open x:y", "", "told-to-delete"),
        ("wrangler d1 execute x --remote --command 'DROP TABLE t'", "database/drops", ""),
        ("influx -execute 'DROP DATABASE x'", "database/drops", ""),
        ("pacman -Rp x", "read-only", "removes-package"), ("rpmbuild -bb x.spec", "", "installs-package"),
        ("aws configure get region", "read-only", ""),
        ("aws configure get aws_secret_access_key", "reads-secret", ""),
        ("openssl genrsa -out x", "writes-secret", "reads-secret"),
        ("npm token create", "cloud/access", ""), ("npm token list", "read-only", ""),
        ("docker secret rm x", "cluster/deletes", ""),
        ("tarsnap -d -f x", "shreds", ""), ("bup -d x ls", "", "shreds"),
        ("ceph osd pool delete x x", "database/drops", ""),
        ("aws athena start-query-execution --query-string 'SELECT 1'", "read-only", ""),
        ("aws redshift-data execute-statement --sql 'DROP TABLE t'", "database/drops", ""),
        ("railway environment delete x", "cloud/deletes", ""), ("railway environment x", "changes", "cloud/deletes"),
        ("az cosmosdb keys list -n x", "reads-secret", ""), ("gcloud kms keys list", "read-only", "reads-secret"),
        ("az vm show x -g g", "read-only", ""), ("gcloud config configurations list", "read-only", ""),
        ("kafka-acls --add --allow-principal User:x --topic t", "cloud/access", ""),
        ("pg_dropcluster 14 main", "database/drops", ""),
        ("mongoimport --file x -c y", "database/writes", "database/restores"),
        ("mongoimport --drop --file x", "database/drops", ""),
        ("gh api -X PUT repos/a/b/branches/main/protection --input p.json", "cloud/access", ""),
        ("wget --method=DELETE https://x.example/1", "network/deletes", ""),
        ("pg_rewind -D x -n", "read-only", "database/deletes"),
        ("emerge --unmerge x", "removes-package system-package", "installs-package"), ("emerge -s x", "read-only", ""),
        ("xbps-remove x", "removes-package", "installs-package"), ("emerge x", "installs-package", "removes-package"),
        # clouds
        ("aws ecs update-service --desired-count 0", "cloud/deploys", ""),
        ("aws sqs create-queue --queue-name x", "cloud/changes", "cloud/deploys"),
        ("aws ses send-email --from x", "notifies", ""), ("aws ec2 delete-volume help", "read-only", "cloud/deletes"),
        ("gcloud app deploy", "cloud/deploys", ""), ("gcloud sql import sql x gs://b/d", "cloud/deploys", ""),
        ("bq query 'DROP TABLE d.t'", "database/drops", ""), ("bq query 'SELECT 1'", "read-only", ""),
        ("gsutil rsync -d -r . gs://b", "cloud/deletes", ""),
        ("gsutil rsync -n -d -r . gs://b", "read-only", "cloud/deletes"),
    ],
)  # fmt: skip
def test_the_verb_says_what_a_service_is_told(line, has, has_not):
    traits = use(line).traits
    assert set(has.split()) <= traits, said(line)
    assert not set(has_not.split()) & traits, said(line)


def test_what_a_keeper_of_secrets_starts_is_judged_here():
    (nested,) = use("doppler run -- rm -rf x").runs
    assert (nested.words, nested.where) == (("rm", "-rf", "x"), "here")
    (there,) = use("fly ssh console -- rm x").runs
    assert there.where == "host"
