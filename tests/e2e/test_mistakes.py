# SPDX-License-Identifier: Apache-2.0
"""
Mistakes, each with what happened and what to do about it: a table.

A row: who makes it (an agent A, the operator O), the command, the code or the
exit status, words that say what happened, and words that say the next step.
What follows "emcli " in a next step is a command there is.
"""

import os
import re
import socket
import sqlite3
import threading

import pytest

import cli
from conftest import Site
from imapd import Imapd
from mail import message
import servers
from smtpd import Smtpd

HELP = "emcli help "
LOGIN = {servers.address("agent"): servers.password("agent")}
SEND = "send --to alice@lab.example --subject s"

AGENT = [
    # -- the command line
    ("lits", "usage", 'unknown command "lits"', "did you mean emcli list?"),
    ("serach --text x", "usage", 'unknown command "serach"', "did you mean emcli search?"),
    ("-x", "usage", 'unknown command "-x"', "see emcli help"),
    ("help foo", "usage", 'unknown command "foo"', "see emcli help"),
    ("schema foo", "usage", 'unknown command "foo"', "see emcli help"),
    ("list --acount work", "usage", 'unknown option "--acount"', "did you mean --account?"),
    ("list --account", "usage", "--account needs a value", HELP + "list"),
    ("list INBOX", "usage", 'unexpected word "INBOX"', HELP + "list"),
    ("list -a", "usage", 'unknown option "-a"', "options begin with --"),
    ("list --new --new", "usage", "--new is given twice", HELP + "list"),
    ("list --new=1", "usage", "--new takes no value", HELP + "list"),
    ("list --limit 0", "usage", "--limit", "a number from 1 to 500"),
    ("list --limit ten", "usage", "--limit", "a number from 1 to 500"),
    ("list --before x", "usage", "--before", "a uid is a number from 1 to"),
    ("list --claim 5", "usage", "only new messages can be claimed", "add --new"),
    ("get", "usage", "--uid is missing", HELP + "get"),
    ("get --uid 1 --part pdf", "usage", "--part", "is one of auto|plain|html"),
    ("get --uid 1 --raw --max-body 9", "usage", "max_body does not go with it", HELP + "get"),
    ("ack --uid 5:1", "usage", "write a range from low to high", "as 5:9"),
    ("search --since yesterday", "usage", "--since takes a date", "as 2026-06-21"),
    ("search --form x", "usage", 'unknown option "--form"', "did you mean --from?"),
    # -- what is not there
    ("list --account wrk", "not_found", "no such account", "did you mean work?"),
    ("list --account zz", "not_found", "no such account", "there is work"),
    ("doctor --account wrk", "not_found", "no such account", "did you mean work?"),
    ("list --folder Nope", "not_found", "no such folder or message", "folders lists the folders"),
    ("get --uid 999", "not_found", "no such folder or message", "list the uids of one"),
    ("ack --uid 999", "not_found", "no such folder or message", "list the uids of one"),
    ("get --uid 1 --attachments x", "policy", "no folder for attachments",
     "emcli account edit NAME --attach-dir FOLDER"),
    # -- threads and drafts
    ("list-recent-threads", "usage", "--since is missing", HELP + "list-recent-threads"),
    ("list-recent-threads --since x", "usage", "since is a moment", "as 14d, 2w, 6h"),
    ("list-recent-threads --since 3d --source work", "usage", "source and reason go together",
     HELP + "list-recent-threads"),
    ("read-thread", "usage", "id is missing", HELP + "read-thread"),
    ("read-thread <none@x>", "not_found", "no such thread", "list_recent_threads lists"),
    ("read-thread gmail-thread-id:19dc8d4675dfc1f1", "usage", "work has rfc5322-message-id",
     "give an id that list_recent_threads returned"),
    ("create-draft --to b@x.example --body x", "unsupported",
     "no backend available for create_draft",
     "emcli account edit work --drafts-folder FOLDER"),
    ("list-sent-since <none@x> --since 3d", "unsupported", "the folder for sent mail is not known",
     "emcli account edit work --sent-folder FOLDER"),
    ("thread-url <none@x>", "unsupported", "no template for addresses",
     "emcli account edit work --thread-url TEMPLATE"),
    # -- skills
    ("load-skill", "usage", "--skill is missing", HELP + "load-skill"),
    ("load-skill --skill mail-raed", "not_found", "no such skill", "load one of available_skills"),
    ("read-skill-resource --skill mail-read --path x", "not_found", "no such resource", ""),
    # -- sending
    ("send --to bob@lab.example", "usage", "--body is missing", HELP + "send"),
    ("send --body x", "usage", "--to is missing", HELP + "send"),
    ("send --to bob --body x", "usage", '"bob" is not a mail address', "it has no @domain"),
    ("send --to @lab.example --body x", "usage", "is a whole domain", "name one mail address"),
    ("send --to a@x.org,b@x.org --body x", "usage", '"a@x.org,b@x.org" is not a mail address',
     "give each address separately"),
    ("send --to mailto:bob@x.org --body x", "usage", "is more than an address",
     "write only bob@x.org"),
    (SEND + " --body-file nosuch", "not_found",
     "the file of --body-file cannot be read: No such file or directory",
     "name a file with the text, or - for standard input"),
    (SEND + " --body-file /", "not_found", "the file of --body-file cannot be read: it is not a "
     "regular file", "name a file with the text"),
    (SEND + " --body-file x --body y", "usage", "--body is given twice", HELP + "send"),
    (SEND + " --body x --attach f", "policy", "sends no attachments",
     "emcli account edit NAME --attach-dir FOLDER"),
    (SEND + " --body x --reply-to 999", "not_found", "no such folder or message",
     "list the uids of one"),
    (SEND + " --body x --reply-to x", "usage", "--reply-to: a uid is a number", "from 1 to"),
    (SEND + " --body x --idempotency-key " + "k" * 300, "usage", "an idempotency key has at most",
     "200 bytes"),
    ("send --to bob@lab.example --body x", "policy", "refused by policy: whitelist_out",
     "emcli whitelist out add ADDRESS"),
    ("send-status", "usage", "name the send", "by id or by idempotency_key"),
    ("send-status --id 99", "not_found", "there is no such message", "use the id that send returned"),
    # -- what is the operator's
    ("account list", 1, "requires EMCLI_ADMIN_KEY", "(admin privilege)"),
    ("thaw", 1, "requires EMCLI_ADMIN_KEY", "(admin privilege)"),
    ("account", 2, "account needs another word", "see emcli help account"),
    ("completion tcsh", 2, "give one of", "bash, zsh, fish"),
    ("manual foo", 2, "give one of", "operations, commands"),
    ("mcp --http x", 2, "--http takes an address and a port", "127.0.0.1:8722"),
    ("mcp --http 0.0.0.0:1", 2, "others can reach that address", "or give --public"),
    ("mcp --selector x", 2, "--selector", "is one of address|alias"),
    ("ask hi", 1, "there is no model", "emcli model add"),
    ("skills filter --format x", 2, "--format", "is one of openai|responses|anthropic"),
]

OPERATOR = [
    ("account add new --backend pop3", 2, 'unknown backend "pop3"',
     "--backend is one of agentbox, gmail, imap, jmap, maildir, mbox, ponymail"),
    ("account add", 2, "name is missing", HELP + "account add"),
    ("account add a=b --backend maildir --path .", 2, "a name has only letters, digits",
     "as work"),
    ("account add new --mode XX", 2, "--mode", "is one of RO|RW"),
    ("account add new --imap-port x", 2, "--imap-port", "is a number from 1 to 65535"),
    ("account add new --backend jmap", 2, "--url is missing", HELP + "account add"),
    ("account edit wrk --mode RO", 1, 'no such account as "wrk"', "did you mean work?"),
    ("account edit work", 2, "no change was given", "see emcli account edit --help"),
    ("account edit work --subject-regex (", 2, "missing closing parenthesis", HELP + "account edit"),
    ("account edit work --imap-host x", 2, "--imap-host does not go with --backend maildir",
     HELP + "account edit"),
    ("account edit work --from x", 2, '"x" is not a mail address', "it has no @domain"),
    ("account remove work", 2, "--yes is needed to remove account work", HELP + "account remove"),
    ("account show zz", 1, 'no such account as "zz"', "there is work"),
    ("account consent work", 2, "the account logs in with a password",
     "emcli account edit --auth oauth2"),
    ("whitelist in add *@x.org", 2, "*@x.org: patterns are not supported", "write @x.org"),
    ("whitelist in add x.org", 2, "x.org is not a mail address", "write @x.org"),
    ("whitelist in add <bob@x.org>", 2, "is more than an address", "write only bob@x.org"),
    ("whitelist in add bob", 2, '"bob" is not a mail address', "it has no @domain"),
    ("whitelist in add", 2, "entry is missing", HELP + "whitelist in add"),
    ("whitelist in remove a@b.example", 1, "", "emcli whitelist in list"),
    ("whitelist in list --account zz", 1, 'no such account as "zz"', "there is work"),
    ("config set skils grant", 2, 'unknown setting "skils"', "did you mean skills?"),
    ("config set skills maybe", 2, "skills is", "always or grant"),
    ("config set timeout_seconds 0", 2, "timeout_seconds", "is a number from 1 to 3600"),
    ("config set skills", 2, "value is missing", HELP + "config set"),
    ("config get nope", 2, 'unknown setting "nope"', "see emcli config list"),
    ("audit list --result x", 2, "--result", "is one of allowed|blocked"),
    ("approve release 99", 1, "there is no such message", "emcli approve list"),
    ("outbox show 99", 1, "there is no such message", "emcli outbox list"),
    ("agent add operator", 2, "an agent's name is 1 to 64 of", "and is not operator"),
    ("agent add -- -x", 2, "an agent's name is 1 to 64 of", "does not begin with -"),
    ("agent token -- -x", 1, "there is no such agent", "emcli agent list"),
    ("model add --url https://model.example/v1 -- -x", 2, "does not begin with -", "into --id"),
    ("agent add x --skill none", 1, 'no skill "none"', "see emcli skill list"),
    ("agent add x --op none", 1, 'no operation on mail "none"', "see emcli help"),
    ("agent add x --account wrk", 1, 'no such account as "wrk"', "did you mean work?"),
    ("agent remove none", 1, "there is no such agent", "emcli agent list"),
    ("agent token none", 1, "there is no such agent", "emcli agent list"),
    ("account import", 2, "file is missing", HELP + "account import"),
    ("account import nosuch", 2, "the file cannot be opened", HELP + "account import"),
    ("account export wrk", 1, 'no such account as "wrk"', "did you mean work?"),
    ("policy apply", 2, "file is missing", HELP + "policy apply"),
    ("policy apply /etc/hostname", 2, "the YAML has neither a map nor a list", HELP + "policy apply"),
    ("key rotate", 2, "give either", "--admin or --agent"),
    ("key rewrap", 2, "say --dek", HELP + "key rewrap"),
    ("store backup", 2, "file is missing", HELP + "store backup"),
    ("store backup /", 2, "there is something by that name", "name a new file"),
    ("store copy", 2, "--to is missing", HELP + "store copy"),
    ("store copy --to /", 2, "there is something by that name", "name a new file"),
    ("store copy --to postgresql://a:b@c/d", 1, "there is a password in --to", "put it into ~/.pgpass"),
    ("store copy --to postgresql:///d?sslkey=x", 1, "--to may not have the parameter sslkey", "leave it out"),
    ("store restore", 2, "file is missing", HELP + "store restore"),
    ("store roles --prefix pg_x", 2, "does not begin with pg_", HELP + "store roles"),
    ("store restore nofile", 1, "there is no such file", "name a copy that emcli store backup made"),
    ("source set work", 2, "nothing to set", "give --role"),
    ("source set work --preferred-for read_threads", 2, 'unknown operation "read_threads"',
     "did you mean read_thread?"),
    ("source explain x", 2, 'unknown operation "x"', "the operations are list_recent_threads"),
    ("source import nosuch", 2, "the file cannot be opened", HELP + "source import"),
    ("skill show none", 1, 'no skill "none"', "see emcli skill list"),
    ("skill export", 2, "folder is missing", HELP + "skill export"),
    ("mcp install", 2, "--client is missing", HELP + "mcp install"),
    ("mcp install --client foo", 2, "--client is one of", "claude"),
    ("model add m", 2, "--url is missing", HELP + "model add"),
    ("model add m --url http://x.example/", 2, "others could read the mail on its way",
     "takes https://HOST"),
    ("canary remove x", 1, "there is no such canary", "emcli canary list"),
    ("unack --uid x", 2, "--uid: a uid is a number", "from 1 to"),
]


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A store with a Maildir account that may write to alice alone."""
    folder = tmp_path_factory.mktemp("mistakes")
    site = Site(folder / "site")
    for user in servers.USERS:
        site.box(user)
    e = cli.Emcli(folder / "emcli")
    e.init()
    e.account_maildir(site.path, process_backlog=True, whitelist_out="on")
    e.whitelist("out", "alice@lab.example")
    site.deliver("agent", message(subject="hi"))
    return e


def check(r, code, says, step):
    text = (r.out + b"\n" + r.err).decode().replace('\\"', '"')
    if isinstance(code, int):
        assert r.rc == code and r.out == b"", str(r)
    else:
        assert r.code == code, str(r)
    assert says in text and step in text, str(r)
    # Nothing of the inside.
    assert "sqlite" not in text and "errno" not in text, str(r)


def commands(house):
    """What may follow emcli."""
    lines = house.run("help").out.decode().splitlines()
    return {" ".join(x.split()[:1]) for x in lines if re.match(r"  [a-z]", x)}


@pytest.mark.parametrize("line, code, says, step", AGENT, ids=lambda v: str(v)[:40])
def test_an_agents(house, line, code, says, step):
    check(house.run(*line.split()), code, says, step)


@pytest.mark.parametrize("line, code, says, step", OPERATOR, ids=lambda v: str(v)[:40])
def test_an_operators(house, line, code, says, step):
    check(house.admin(*line.split()), code, says, step)


def test_there_are_enough_of_them_and_their_commands_exist(house):
    rows = AGENT + OPERATOR
    assert len(rows) >= 84 and len({r[0] for r in rows}) == len(rows)
    known = commands(house)
    for row in rows:
        for word in re.findall(r"emcli ([a-z-]+)", row[3]):
            assert word in known or word == "help", row


KEYS = [
    ({"EMCLI_KEY": None}, "EMCLI_KEY is not set", "EMCLI_KEY_FILE"),
    ({"EMCLI_KEY": cli.key()}, "EMCLI_KEY does not open this store", "belongs to another store"),
    ({"EMCLI_KEY": "abc"}, "not a base64-encoded 32-byte key", "emcli key generate prints a key"),
    ({"EMCLI_KEY": None, "EMCLI_KEY_FILE": "/nonexistent"}, "cannot be read",
     "name a file that holds the key"),
    ({"EMCLI_DB": "/nonexistent/db"}, "there is no database", "run emcli init"),
    ({"EMCLI_AGENT": "bad name"}, "EMCLI_AGENT is not a name", "1 to 64 of A-Z"),
]


# A key is another in each worker: no name of a test may hold one.
@pytest.mark.parametrize("env, says, step", KEYS, ids=[row[1] for row in KEYS])
def test_keys_and_places(house, env, says, step):
    check(house.run("list", env=env), "config", says, step)


def test_an_admin_key_that_is_none(house):
    check(house.admin("account", "list", env={"EMCLI_ADMIN_KEY": "zzz"}), 1,
          "requires EMCLI_ADMIN_KEY", "EMCLI_ADMIN_KEY is set, but is not a key")


def test_a_key_file_that_others_may_read(house, tmp_path):
    path = tmp_path / "key"
    path.write_text(house.agent_key)
    os.chmod(path, 0o644)
    check(house.run("list", env={"EMCLI_KEY": None, "EMCLI_KEY_FILE": str(path)}), "config",
          "is open to others", "chmod 600")


def test_a_database_newer_than_this_emcli_says_which(emcli):
    assert emcli.run("list-skills").rc == 0
    with sqlite3.connect(emcli.db) as db:
        known, = db.execute("select max(version) from migration").fetchone()
        db.execute("insert into migration values (?, 'x', '2030-01-01T00:00:00Z')", (known + 7,))
    db.close()
    check(emcli.run("list"), "config",
          f"it has version {known + 7}, and this emcli knows {known}",
          "use the emcli that changed it")


def test_without_an_account_and_with_two(emcli, site):
    check(emcli.run("list"), "config", "there is no account: the operator", "emcli account add NAME")
    check(emcli.admin("whitelist", "in", "list"), 1, "there is no account yet",
          "emcli account add NAME")
    emcli.account_maildir(site.path, name="a")
    emcli.account_maildir(site.path, name="b", user="bob")
    check(emcli.run("list"), "usage", "--account is missing", "name one of a, b")
    check(emcli.admin("whitelist", "in", "list"), 2, "--account is missing", "name one of a, b")
    check(emcli.run("list-recent-threads", "--since", "3d"), "usage",
          "2 accounts can serve list_recent_threads", "emcli source set a --role primary")
    check(emcli.run("sources", "x"), "usage", 'unexpected word "x"', HELP + "sources")


@pytest.mark.parametrize("flags, says, step", [
    (("--mode", "RO"), "ro_mode", "emcli account edit NAME --mode RW"),
    (("--outbound", "draft"), "draft_only", "emcli account edit NAME --outbound send"),
    (("--scope", "thread"), "scope_thread", "emcli account edit NAME --scope any"),
])
def test_what_the_operator_forbids(emcli, site, flags, says, step):
    emcli.account_maildir(site.path, whitelist_out="off")
    emcli.set_up("account", "edit", "work", *flags)
    check(emcli.run(*SEND.split(), "--body", "x"), "policy", says, step)


# -- servers

def add(emcli, certs, kind, port, security):
    given = {"backend": "imap", "mode": "RW", "whitelist_out": "off", "ca": certs.ca,
             "from": servers.address("agent"), "username": servers.address("agent"),
             "imap_host": "localhost", "imap_port": port if kind == "imap" else 1,
             "imap_security": security}
    if kind == "smtp":
        given.update(smtp_host="localhost", smtp_port=port, smtp_security=security)
    emcli.set_up("account", "add", "work", "--password-stdin", *emcli.options(given),
                 stdin=servers.password("agent"))


def ask(emcli, kind):
    return emcli.run("list") if kind == "imap" else \
        emcli.run(*SEND.split(), "--body", "x")


OTHER_KIND = [
    ("imap", Smtpd, "the server said 220: this is an SMTP server", "993 (tls) or 143 (starttls)"),
    ("smtp", Imapd, "the server said *: this is an IMAP server", "465 (tls) or 587 (starttls)"),
]


@pytest.mark.parametrize("starttls", [False, True])
@pytest.mark.parametrize("kind, server, says, step", OTHER_KIND)
def test_another_kind_of_server(emcli, certs, kind, server, says, step, starttls):
    with server(certs.good[0], certs.good[1], users=LOGIN, starttls=starttls) as there:
        add(emcli, certs, kind, there.port, "starttls" if starttls else "tls")
        check(ask(emcli, kind), "network", says, step)


@pytest.mark.parametrize("kind, server", [("imap", Imapd), ("smtp", Smtpd)])
def test_starttls_on_a_port_for_tls_waits_for_no_deadline(emcli, certs, kind, server):
    """The other side is waiting, too: without another look it is sixty seconds."""
    emcli.setting("timeout_seconds", "3600")
    with server(certs.good[0], certs.good[1], users=LOGIN) as there:
        add(emcli, certs, kind, there.port, "starttls")
        check(ask(emcli, kind), "network", "this port needs TLS from the start",
              f"emcli account edit NAME --{kind}-security tls")


@pytest.mark.parametrize("kind, server", [("imap", Imapd), ("smtp", Smtpd)])
def test_tls_on_a_port_for_starttls_waits_for_no_deadline(emcli, certs, kind, server):
    emcli.setting("timeout_seconds", "3600")
    with server(certs.good[0], certs.good[1], users=LOGIN, starttls=True) as there:
        add(emcli, certs, kind, there.port, "tls")
        check(ask(emcli, kind), "network", "does not speak TLS on this port",
              "see --imap-security or --smtp-security")


def test_a_silent_server_is_no_tls_server(emcli, certs):
    """It is waited for as before: another look has found nothing."""
    emcli.setting("timeout_seconds", "4")
    with socket.create_server(("127.0.0.1", 0)) as quiet:
        held = []

        def take():
            while True:
                try:
                    held.append(quiet.accept()[0])
                except OSError:
                    return
        threading.Thread(target=take, daemon=True).start()
        add(emcli, certs, "imap", quiet.getsockname()[1], "starttls")
        check(ask(emcli, "imap"), "network", "in time", "try again later")


def test_nobody_listens_and_no_such_host(emcli, certs):
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        add(emcli, certs, "imap", s.getsockname()[1], "tls")
        check(ask(emcli, "imap"), "network", "refused", "emcli")
