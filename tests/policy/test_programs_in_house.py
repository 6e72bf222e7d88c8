"""Command lines of a team's own, described as a user would, and judged by rules about what is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from interlock.config.bundles import load_file
from interlock.facts.programs import is_known
from interlock.policy.load import Policy
from interlock.testing.cases import run_cases
from tests.policy.builders import Session, fired

POLICY = Path(__file__).with_name("in_house.yaml")

# A line, and the rules that have something to say about it. Hits and near misses of one program stand together.
LINES: dict[str, list[tuple[str, str]]] = {
    "shipctl": [
        ("shipctl", "looks"),
        ("shipctl status web", "looks"),
        ("shipctl -v --env prod status", "looks"),
        ("shipctl config show", "looks"),
        ("shipctl config set replicas 3", "changes"),
        ("shipctl config", ""),
        ("shipctl -e prod ship web", "changes"),
        ("shipctl ship --env=prod web", "changes"),
        ("shipctl ship web --dry-run", "looks"),
        ("shipctl ship web --dry-run=false", "changes"),
        ("shipctl env rm staging", "deletes"),
        ("shipctl env add staging", ""),
        ("shipctl env rm staging --dry-run", "looks"),
        ("shipctl teardown", "deletes"),
        ("shipctl --wat status", ""),
        ("shipctl status > out.txt", ""),
        ("shipctl status | tee out.txt", ""),
    ],
    "dbtool": [
        ("dbtool -d shop tables", "looks"),
        ("dbtool -d drop tables", "looks"),
        ("dbtool drop orders", "drops"),
        ("sudo dbtool truncate orders", "drops"),
        ("dbtool query 'select * from orders'", "looks"),
        ("dbtool query 'drop table orders'", "drops changes"),
        ("dbtool query 'update orders set paid = 1 where id = 2'", "changes"),
        ('dbtool query "$SQL"', "changes"),
        ("dbtool load orders data/orders.csv", "changes"),
        ("dbtool --url postgres://db.prod.example/shop tables", "production"),
        ("dbtool --url postgres://db.test.example/shop tables", ""),
        ("dbtool dump shop", ""),
    ],
    "featureflag": [
        ("featureflag list -p shop --json", "looks"),
        ("ff get-variants checkout", "looks"),
        ("ff getvariants checkout", ""),
        ("ff on checkout", "changes"),
        ("featureflag off checkout", "changes"),
        ("ff archive checkout", "deletes"),
        ("fff on checkout", ""),
    ],
    "tenantctl": [
        ("tenantctl list", "looks"),
        ("tenantctl -t acme user list", "looks"),
        ("tenantctl user add ann", "changes"),
        ("tenantctl user rm ann", "deletes"),
        ("tenantctl --yes purge acme", "deletes"),
        ("tenantctl user", ""),
    ],
    "payctl": [
        ("payctl balance -a shop", "looks"),
        ("payctl refund show 7", "looks"),
        ("payctl refund create 7 --amount 10", "money"),
        ("payctl refund void 7", "money"),
        ("payctl anything at all", "money"),
    ],
    "secretctl": [
        ("secretctl list", "looks"),
        ("secretctl get db-password", "secrets"),
        ("secretctl --vault prod export -o .env.local", "secrets own-files"),
        ("secretctl list -o .env.local", "own-files"),
        ("secretctl rotate db-password", "secrets"),
    ],
    "releaser": [
        ("releaser plan", "looks"),
        ("releaser publish 1.5", "changes"),
        ("releaser -n publish 1.5", "looks"),
        ("releaser -nc beta publish 1.5", "looks"),
        ("releaser -c -n publish 1.5", "changes"),
        ("releaser cut 1.5", ""),
    ],
    "ourkube": [
        ("ourkube get pods -n prod", "looks"),
        ("ourkube delete pod web", "deletes"),
        ("ourkube -n prod apply -f web.yaml", "changes"),
        ("ourkube exec web -- rm -rf /data", ""),
        ("ourkube frobnicate", ""),
    ],
    "withenv": [
        ("withenv prod git status", "looks"),
        ("withenv prod shipctl status", "looks"),
        ("withenv prod rm -rf build", "own-files"),
        ("withenv prod dbtool drop orders", "drops"),
        ("withenv prod withenv prod dbtool drop orders", "drops"),
        ("withenv prod -- shipctl ship web", "changes"),
        ("withenv prod bash -c 'dbtool drop orders'", "drops"),
        ("withenv prod", "looks"),
    ],
    "migrator": [
        ("migrator", "looks"),
        ("migrator status", "looks"),
        ("migrator up --steps 1", "changes"),
        ("migrator up --dry-run", "looks"),
        ("migrator reset", "drops"),
        ("migrator db drop", "drops"),
        ("migrator db", ""),
        ("migrator new /etc/cron.d/x", "own-files"),
        ("migrator new db-0042.sql", ""),
    ],
    "cachectl": [
        ("cachectl stats", "looks"),
        ("cachectl key get user-1", "looks"),
        ("cachectl key get ./user", ""),
        ("cachectl -c eu key rm user-1", "deletes"),
        ("cachectl flush", "drops"),
    ],
    "logview": [
        ("logview web -f --since 1h", "looks"),
        ("logview -H logs.prod.example web", "production"),
        ("logview -H logs.test.example web", ""),
        ("logview web -o /etc/motd", "own-files"),
        ("logview web -o out.log", ""),
    ],
    "dataexport": [
        ("dataexport customers.csv -t https://partner.example/in", "leaves"),
        ("dataexport --gzip a.csv b.csv -t https://x.prod.example/in", "leaves production"),
        ("dataexport", ""),
    ],
    "scaffold": [
        ("scaffold service src/billing", ""),
        ("scaffold service /etc/billing", "own-files"),
        ("scaffold -f -t tpl/x.yaml job src/jobs", ""),
    ],
    "jump": [
        ("jump web1.prod.example uptime", "production"),
        ("jump web1.test.example", ""),
        ("jump web1.test.example rm -rf /srv", "own-files"),
        ("jump web1.test.example -- dbtool drop orders", "drops"),
        ("jump --via gate.prod.example web1.test.example uptime", "production"),
    ],
    "queuectl": [
        ("queuectl peek -q jobs", "looks"),
        ("queuectl publish -q jobs -m purge", ""),
        ("queuectl purge jobs", "drops"),
        ("queuectl send-file jobs big.json", "leaves"),
    ],
    "ourcloud": [
        ("ourcloud vm list", "looks"),
        ("ourcloud vm describe web", "looks"),
        ("ourcloud vm delete web", "deletes"),
        ("ourcloud vm create web", "changes"),
        ("ourcloud promote web", "changes"),
    ],
    "lintall": [
        ("lintall", "looks"),
        ("lintall src/a.py", ""),
        ("lintall --fix .env.local", "own-files"),
        ("lintall .env.local", ""),
    ],
    "runsql": [
        ("echo 'drop table orders' | runsql -d shop", "drops changes"),
        ("runsql <<< 'drop table orders'", "drops changes"),
        ("echo 'select 1' | runsql", ""),
    ],
    "backupctl": [
        ("backupctl", "looks"),
        ("backupctl verify", "looks"),
        ("backupctl make", ""),
        ("backupctl restore nightly", "drops"),
        ("backupctl make restore", ""),
    ],
    "siteadm": [
        ("siteadm -site prod -purge", "drops"),
        ("siteadm -site -purge", ""),
        ("siteadm -show", ""),
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def policy() -> Policy:
    return load_file(POLICY)


def test_every_case_of_a_description_holds(policy: Policy):
    results = list(run_cases(policy))
    assert [(result.rule, result.message) for result in results if not result.ok] == []
    assert {result.rule for result in results} == {one.names[0] for one in policy.programs.values() if one.cases}


def test_twenty_programs_are_described_that_interlock_does_not_know(policy: Policy):
    assert len({one.names for one in policy.programs.values()}) >= 20
    assert [name for name in policy.programs if is_known(name)] == []
    assert set(LINES) == {one.names[0] for one in policy.programs.values()}


@pytest.mark.parametrize(("line", "rules"), [pytest.param(*row, id=row[0]) for rows in LINES.values() for row in rows])
def test_rules_go_by_what_the_descriptions_say(policy: Policy, line: str, rules: str):
    assert fired(Session(policy).call(line)) == rules.split()
