# SPDX-License-Identifier: Apache-2.0
"""No option is ignored: what init, account add and account edit are given ends in the row, or is
refused by name.  Every option there is, on every kind of account."""
import contextlib
import re
import sqlite3

import pytest

import cli
from test_account import PIN, SETTINGS
from test_admin import PASSWORD, good

ME = "me@lab.example"
# A kind of account, as the options that make one.
KINDS = {
    "imap RO": ("--backend", "imap", "--imap-host", "i.lab.example", "--username", ME),
    "imap RW": ("--backend", "imap", "--imap-host", "i.lab.example", "--username", ME,
                "--mode", "RW", "--smtp-host", "s.lab.example"),
    "maildir RO": ("--backend", "maildir", "--path", "BOX"),
    "maildir RW": ("--backend", "maildir", "--path", "BOX", "--mode", "RW"),
    "mbox": ("--backend", "mbox", "--path", "MBOX"),
    "jmap": ("--backend", "jmap", "--url", "https://j.lab.example", "--username", ME),
    "gmail": ("--backend", "gmail", "--auth", "oauth2", "--username", ME),
    "ponymail": ("--backend", "ponymail", "--url", "https://p.lab.example"),
}
LATER = {"imap RO", "imap RW", "maildir RO", "maildir RW"}
# An option, a value, and what then is in the row.
ROW = {o: (v, m, want) for o, (v, m, want) in SETTINGS.items()}
ROW.update({
    "backend": ("maildir", "backend", "maildir"),
    "path": ("BOX", "path", "BOX"),
    "url": ("https://other.lab.example", "url", "https://other.lab.example"),
    "pin": (PIN, "pin", PIN),
    "rename": ("another", "name", "another"),
})
# What speaks of the call and of no account; --provider and --ispdb say where
# to look, and are refused where nothing is looked for.
OF_THE_CALL = {"yes", "no-tui", "no-test", "help", "password-file", "password-stdin",
               "password-command", "password-ask", "account", "json", "color", "no-pager"}
# What a refusal names in an option's place: what it lacks.
NEEDS = {"smtp-port": "smtp-host", "smtp-security": "smtp-host"}
WARNS = b"changed without emcli: see emcli audit verify"
LISTS = {"allow-in": "whitelist_in", "allow-out": "whitelist_out"}


def options(emcli, *command):
    """Every option of the command; those that are flags say "true"."""
    out = good(emcli.admin(*command, "--help"))
    found = re.findall(r"^  --([a-z-]+)( \S+)?", out, re.M)
    return {name: bool(value) for name, value in found if name not in OF_THE_CALL}


@pytest.fixture
def place(emcli, site, tmp_path):
    """What stands for paths in the tables."""
    (tmp_path / "archive.mbox").write_text("")
    words = {"BOX": str(site.box("agent")), "MBOX": str(tmp_path / "archive.mbox")}
    return lambda *argv: [words.get(a, a) for a in argv]


def rows(emcli):
    r = emcli.admin("account", "list", "--json", program=emcli.scene)
    # It warns of copies(), and of nothing else.
    assert r.rc == 0 and (not r.err or WARNS in r.err and r.err.count(b"\n") == 1), str(r)
    return {a["name"]: a for a in r.json["accounts"]}


def listed(emcli, table):
    with sqlite3.connect(emcli.db) as db:
        return db.execute(f"SELECT a.name, w.address FROM {table} w JOIN accounts a"
                          " ON a.id = w.account_id").fetchall()


class Tried:
    """What was given, and what must be so if it was taken."""

    def __init__(self):
        self.kept = []
        self.refused = []

    def add(self, r, option, name, want):
        if r.rc == 0:
            self.kept.append((option, name, want))
        else:
            said = r.err.decode()
            names = {f"--{option}", f"--{NEEDS.get(option, option)}"}
            assert r.rc == 2 and any(n in said for n in names), f"{option}: {r}"
            self.refused.append((option, name))

    def check(self, emcli, place):
        found = rows(emcli)
        for option, name, want in self.kept:
            if option in LISTS:
                assert (name, want) in listed(emcli, LISTS[option]), (option, name)
                continue
            _, member, value = ROW[option]
            row = found["another" if option == "rename" else name]
            assert row[member] == place(value)[0], (option, name)


def value_of(option, flag, place):
    if option in LISTS:
        return [f"--{option}", "bob@them.example"], "bob@them.example"
    if option in ("provider", "ispdb", "issuer", "oauth-scope", "client-id"):
        given = {"provider": "fastmail", "issuer": "https://id.lab.example"}.get(option, "x")
        return [f"--{option}"] + [given] * (not flag), None
    value = place(ROW[option][0])[0]
    return [f"--{option}"] + [value] * (not flag), value


@pytest.fixture
def store(tmp_path):
    """A store for each kind: a command looks at every account that is there."""
    def make(k):
        e = cli.Emcli(tmp_path / f"store{k}")
        e.init()
        return e
    return make


def together(run, given):
    """
    One command with all of these but what is refused among the others, which is
    returned: it is tried alone.  {option: its words}
    """
    left, alone = dict(given), []
    while (r := run([w for words in left.values() for w in words])).rc != 0:
        said = r.err.decode()
        named = [o for o in left if re.search(rf"--{o}(?![a-z-])", said)]
        assert r.rc == 2 and named, str(r)
        alone += named
        for option in named:
            del left[option]
    return alone


def test_add_drops_nothing(store, place):
    kept = refused = 0
    for k, kind in enumerate(KINDS):
        emcli, tried = store(k), Tried()
        base = place(*KINDS[kind])
        secret = ["--password-stdin"] * ("gmail" not in base)
        given = {o: value_of(o, not takes, place)
                 for o, takes in options(emcli, "account", "add").items()
                 if not (o in ("backend", "path", "url") and f"--{o}" in base)}

        def add(name, words, base=base):
            return emcli.admin("account", "add", name, *["--from", ME] * ("--from" not in words), *base,
                               *words, *secret, stdin=PASSWORD, program=emcli.scene)

        # What the kind says already, and what lacks another option, is said alone.
        first = [o for o in given if f"--{o}" in base or o in NEEDS or o == "from"]
        rest = {o: words for o, (words, _) in given.items() if o not in first}
        alone = together(lambda words: add("all", words), rest)
        for option in given:
            words, want = given[option]
            if option in rest and option not in alone:
                tried.kept.append((option, "all", want))
                continue
            less = base.copy()
            if f"--{option}" in less:
                at = less.index(f"--{option}")
                del less[at:at + 2]
            name = f"{option}-{k}"
            tried.add(add(name, words, less), option, name, want)
        tried.check(emcli, place)
        kept, refused = kept + len(tried.kept), refused + len(tried.refused)
    # The table was walked.
    assert kept > 200 and refused > 40


def test_init_drops_nothing(emcli, place):
    tried = Tried()
    taken = options(emcli, "init")
    assert {"allow-in", "allow-out", "smtp-host", "smtp-port", "client-id"} <= set(taken)
    for k, kind in enumerate(KINDS):
        if kind not in LATER:
            continue
        for option, takes in taken.items():
            given, want = value_of(option, not takes, place)
            base = place(*KINDS[kind])
            if option in ("backend", "path") and f"--{option}" in base:
                continue
            if f"--{option}" in base:
                at = base.index(f"--{option}")
                del base[at:at + 2]
            name = f"{option}-{k}"
            secret = ["--password-stdin"] * ("imap" in base and "oauth2" not in given)
            r = emcli.admin("init", "--account", name, "--yes", "--no-test",
                            *["--from", ME] * (option != "from"), *base, *given, *secret,
                            stdin=PASSWORD, program=emcli.scene)
            tried.add(r, option, name, want)
    tried.check(emcli, place)
    assert len(tried.kept) > 30 and len(tried.refused) > 20


def copies(emcli, names):
    """The account `first` once more under each of these names, as a scene."""
    with contextlib.closing(sqlite3.connect(emcli.db)) as db, db:
        columns = [r[1] for r in db.execute("PRAGMA table_info(accounts)")]
        same = ", ".join(c for c in columns if c not in ("id", "name"))
        for name in names:
            db.execute(f"INSERT INTO accounts (name, {same}) SELECT ?, {same} FROM accounts"
                       " WHERE name = 'first'", (name,))


def test_edit_drops_nothing(store, place):
    kept = refused = 0
    for k, kind in enumerate(KINDS):
        emcli, tried = store(k), Tried()
        secret = ["--password-stdin"] * ("gmail" not in KINDS[kind])
        r = emcli.admin("account", "add", "first", "--from", ME, *place(*KINDS[kind]), *secret,
                        stdin=PASSWORD, program=emcli.scene)
        assert r.rc == 0, str(r)
        # Another backend wants another place, and the old one gone.
        todo = {o: takes for o, takes in options(emcli, "account", "edit").items()
                if o != "backend" and (o != "rename" or k == 0)}
        copies(emcli, ["all", *(f"{option}-{k}" for option in todo)])
        given = {o: value_of(o, not takes, place) for o, takes in todo.items()}
        rest = {o: words for o, (words, _) in given.items() if o not in NEEDS and o != "rename"}
        alone = together(lambda words: emcli.admin("account", "edit", "all", *words,
                                                   program=emcli.scene), rest)
        for option, (words, want) in given.items():
            if option in rest and option not in alone:
                tried.kept.append((option, "all", want))
                continue
            r = emcli.admin("account", "edit", f"{option}-{k}", *words, program=emcli.scene)
            tried.add(r, option, f"{option}-{k}", want)
        tried.check(emcli, place)
        kept, refused = kept + len(tried.kept), refused + len(tried.refused)
    assert kept > 200 and refused > 20


# -- what follows where nothing is said


@pytest.mark.parametrize("mode", ["RO", "RW"])
@pytest.mark.parametrize("command", [("init", "--yes", "--no-test", "--account"),
                                     ("account", "add")])
def test_recipients_are_listed_unless_it_is_said(emcli, site, command, mode):
    base = ("--backend", "maildir", "--path", site.box("agent"), "--from", ME, "--mode", mode)
    r = emcli.admin(*command, "plain", *base)
    assert r.rc == 0 and (b"write to nobody until" in r.out) == (mode == "RW"), str(r)
    assert emcli.admin(*command, "open", *base, "--whitelist-out", "off").rc == 0
    found = rows(emcli)
    assert found["plain"]["whitelist_out"] is True and found["open"]["whitelist_out"] is False
    if mode == "RO":
        good(emcli.admin("account", "edit", "plain", "--mode", "RW"))
    r = emcli.run("send", "--account", "plain", "--to", "bob@them.example", "--subject", "s",
                  "--body", "b")
    assert r.json["error_detail"]["reason"] == "whitelist_out"


def test_what_may_leave_is_kept_of_an_account_that_only_reads(emcli, site):
    """As it was found: exit 0, the list off and empty, and then anybody could be written to."""
    r = emcli.admin("init", "--yes", "--backend", "maildir", "--path", site.box("me").parent, "--from",
                    ME, "--account", "work", "--mode", "RO", "--whitelist-out", "on",
                    "--allow-out", "bob@lab.example", "--no-test")
    assert r.rc == 0, str(r)
    assert listed(emcli, "whitelist_out") == [("work", "bob@lab.example")]
    good(emcli.admin("account", "edit", "work", "--mode", "RW"))
    send = ("send", "--account", "work", "--subject", "s", "--body", "b", "--to")
    assert emcli.run(*send, "bob@lab.example").rc == 0
    assert emcli.run(*send, "eve@lab.example").code == "policy"


def test_listed_senders_are_the_only_ones_seen_unless_it_is_said(emcli, site):
    base = ("init", "--yes", "--no-test", "--backend", "maildir", "--path", site.box("agent"),
            "--from", ME, "--allow-in", "boss@lab.example", "--account")
    good(emcli.admin(*base, "plain"))
    said = good(emcli.admin(*base, "open", "--whitelist-in", "off"))
    assert "listed or not" in said
    found = rows(emcli)
    assert found["plain"]["whitelist_in"] is True and found["open"]["whitelist_in"] is False


PROVIDER = ("--from", "me@fastmail.com", "--yes", "--password-stdin")


def test_init_and_add_make_the_same_account(emcli):
    """Also of the same options for each: the row tells not who made it."""
    for n, more in enumerate([(), ("--mode", "RW"), ("--smtp-security", "starttls"),
                              ("--smtp-port", "587"), ("--whitelist-out", "off"),
                              ("--imap-host", "i.lab.example"),
                              ("--imap-host", "i.lab.example", "--imap-port", "143")]):
        for how, command in [("i", ("init", "--no-test", "--account")), ("a", ("account", "add"))]:
            good(emcli.admin(*command, f"{how}{n}", *PROVIDER, *more, stdin=PASSWORD))
        found = rows(emcli)
        same = {k for k in found[f"i{n}"] if found[f"i{n}"][k] == found[f"a{n}"][k]}
        assert same == set(found[f"i{n}"]) - {"name"}, more


@pytest.mark.parametrize("given, want", [
    (("--imap-port", "143", "--smtp-port", "587"), ("starttls", 143, "starttls", 587)),
    (("--imap-port", "993", "--smtp-port", "465"), ("tls", 993, "tls", 465)),
    (("--imap-port", "1143", "--smtp-port", "2525"), ("tls", 1143, "tls", 2525)),
    (("--smtp-port", "587"), ("tls", 993, "starttls", 587)),
    (("--imap-port", "143", "--imap-security", "tls", "--smtp-port", "587", "--smtp-security",
      "tls"), ("tls", 143, "tls", 587)),
    (("--imap-port", "993", "--imap-security", "starttls"), ("starttls", 993, "tls", 465)),
])
def test_a_port_brings_its_kind_of_tls(emcli, given, want):
    base = ("--from", ME, "--imap-host", "i.example", "--smtp-host", "s.example", "--mode", "RW",
            "--password-stdin")
    good(emcli.admin("account", "add", "a", *base, *given, stdin=PASSWORD))
    good(emcli.admin("init", "--account", "i", "--no-test", *base, *given, stdin=PASSWORD))
    good(emcli.admin("account", "add", "e", *base, stdin=PASSWORD))
    good(emcli.admin("account", "edit", "e", *given))
    for name, a in rows(emcli).items():
        assert (a["imap_security"], a["imap_port"], a["smtp_security"],
                a["smtp_port"]) == want, name


def test_the_address_logs_in_where_nobody_else_is_named(emcli):
    good(emcli.admin("account", "add", "a", "--from", ME, "--imap-host", "i.example",
                     "--password-stdin", stdin=PASSWORD))
    good(emcli.admin("account", "add", "b", "--from", ME, "--username", "login", "--imap-host",
                     "i.example", "--password-stdin", stdin=PASSWORD))
    found = rows(emcli)
    assert (found["a"]["username"], found["b"]["username"]) == (ME, "login")


def test_a_program_gives_the_password_of_a_new_account(emcli):
    base = ("--from", ME, "--imap-host", "i.example", "--password-command", "echo of a program")
    good(emcli.admin("account", "add", "a", *base))
    good(emcli.admin("init", "--account", "i", "--no-test", *base))
    with sqlite3.connect(emcli.db) as db:
        sizes = db.execute("select length(enc_password) from accounts").fetchall()
    assert sizes == [(12 + len("of a program") + 16,)] * 2
