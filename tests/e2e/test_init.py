"""emcli init: from nothing to an account that works, by form, line and flag."""

import os
import re
import signal
import socket
import sqlite3

import pytest

import cli
import ports
import servers
import tui

KEY = r"[A-Za-z0-9+/]{43}="
ADDRESS = servers.address("agent")
PASSWORD = servers.password("agent")


class First(cli.Emcli):
    """An empty home, and the ways to begin in it."""

    def __init__(self, folder):
        super().__init__(folder)
        self.db = self.folder / ".config" / "emcli" / "emcli.db"
        self.keys = {}

    def env(self, **more):
        return self.environment(EMCLI_DB=None, **{"TERM": "xterm-256color", **more})

    def screen(self, *argv, size=(80, 24), **env):
        for name in "status", "pid", "tmux":
            (self.folder.parent / name).unlink(missing_ok=True)
        return tui.Screen([self.binary, "init", *argv], self.env(**env),
                          self.folder.parent, size)

    def take_keys(self, screen):
        """What a person would put into a password store."""
        self.admin_key = screen.wait(rf"EMCLI_ADMIN_KEY +({KEY})").group(1)
        self.agent_key = screen.wait(rf"EMCLI_KEY +({KEY})").group(1)
        assert self.admin_key != self.agent_key

    def nothing(self):
        return [p for p in self.folder.rglob("*") if p.is_file()] == []

    def rows(self):
        """All that was said about accounts, without what is sealed."""
        db = sqlite3.connect(self.db)
        db.row_factory = sqlite3.Row
        accounts = [{k: r[k] for k in r.keys() if not k.startswith("enc_")}
                    for r in db.execute("select * from accounts order by name")]
        lists = [db.execute(f"select address from whitelist_{w} order by 1").fetchall()
                 for w in ("in", "out")]
        audit = db.execute("select principal, account, action, result, outcome "
                           "from audit_log order by id").fetchall()
        db.close()
        return accounts, [[tuple(r) for r in x] for x in lists], [tuple(r) for r in audit]

    def healthy(self, name="lab"):
        r = self.run("doctor", "--account", name, env={"EMCLI_DB": str(self.db)})
        return r.data["ok"] is True


@pytest.fixture
def first(tmp_path):
    return First(tmp_path / "home")


def to_who(first, s):
    """Over the keys."""
    s.wait("Make the keys now")
    s.press("Enter")
    first.take_keys(s)
    s.press("Enter")
    s.wait("Mail address")


def to_servers(s, address=ADDRESS):
    s.type(address)
    s.press("Enter")
    s.wait("IMAP server")


def to_login(dovecot, s):
    s.type(f"localhost:{dovecot.imaps}")
    s.press("Up")
    s.type(dovecot.ca)
    s.press("Enter")
    s.wait("Only listed senders")
    s.press("Enter")
    s.wait("User name")


def finish(s, password=PASSWORD):
    s.type(password)
    s.press("Enter")
    s.wait("Write it down")
    s.press("Enter")
    return s.end()


# A vt100 has no second screen to go back from.
@pytest.mark.parametrize("term", ["xterm-256color", "vt100"])
def test_first_run_by_forms(first, dovecot, term):
    with first.screen(TERM=term) as s:
        to_who(first, s)
        to_servers(s)
        to_login(dovecot, s)
        assert first.nothing()
        s.type(PASSWORD)
        s.wait(r"Password +\*{12}")
        s.press("Enter")
        said = s.wait(r"imap.login +ok[\s\S]*Write it down").group(0)
        # A long path is cut to the window's width.
        assert "Account lab" in said and str(first.db) in re.sub(r"\s", "", said)
        assert first.nothing()
        s.press("Enter")
        assert s.end() == 0
        assert s.pressed < 12
        after = s.text(history=True)
    assert f"made {first.db}" in after.replace("\n", "") and "export EMCLI_DB=" in after
    for secret in first.admin_key, first.agent_key, PASSWORD:
        assert secret not in after
    assert first.healthy()
    accounts, lists, audit = first.rows()
    assert [a["name"] for a in accounts] == ["lab"] and lists == [[], []]
    assert audit[0] == ("operator", "lab", "account.add", "allowed", "ok")
    assert oct(first.db.stat().st_mode)[-3:] == "600"
    for p in first.folder.rglob("*"):
        if p.is_file():
            raw = p.read_bytes()
            for secret in first.admin_key, first.agent_key, PASSWORD:
                assert secret.encode() not in raw


def test_back_and_forth(first, dovecot):
    with first.screen() as s:
        to_who(first, s)
        keys = first.admin_key, first.agent_key
        s.press("Escape")
        first.take_keys(s)
        assert (first.admin_key, first.agent_key) == keys
        s.press("Escape")
        s.wait("Make the keys now")
        s.press("Escape")
        s.wait("Make the keys now")
        s.press("Enter")
        first.take_keys(s)
        assert (first.admin_key, first.agent_key) == keys
        s.press("Enter")
        s.wait("Mail address")
        to_servers(s)
        to_login(dovecot, s)
        s.press("Escape", "Escape", "Escape")
        s.wait("Account name")
        # A field is replaced by what is typed into it.
        s.press("Down")
        s.type("mine")
        s.press("Enter")
        s.wait(rf"IMAP port +{dovecot.imaps}")
        s.press("Enter", "Enter")
        s.wait("User name")
        assert finish(s) == 0
    assert [a["name"] for a in first.rows()[0]] == ["mine"]
    assert first.healthy("mine")


def test_mistakes_stay_on_their_page(first):
    with first.screen() as s:
        to_who(first, s)
        s.press("Enter")
        s.wait("Mail address is missing")
        s.type("no address")
        s.press("Down")
        s.type("bad name")
        s.press("Enter")
        shown = s.wait("Mail address +no address[^\n]*").group(0)
        assert "Account name" in s.text() and "bad name" in s.text(), shown
        s.press("C-u")
        s.type(ADDRESS)
        s.press("Enter")
        s.wait("a name is made of letters")
        s.press("C-c")
        assert s.end() == 2
    assert first.nothing()


def test_wrong_password_then_right(first, dovecot):
    with first.screen() as s:
        to_who(first, s)
        to_servers(s)
        to_login(dovecot, s)
        s.type("wrong")
        s.press("Enter")
        s.wait(r"imap.login: the server refused[\s\S]*User name[\s\S]*Password\n")
        assert finish(s) == 0
    assert first.healthy()


def test_a_server_that_is_not_there(first, dovecot):
    with first.screen() as s:
        to_who(first, s)
        to_servers(s)
        s.type(f"localhost:{ports.free(1)[0]}")
        s.press("Enter", "Enter")
        s.wait("User name")
        s.type(PASSWORD)
        s.press("Enter")
        s.wait(r"imap.tcp +BAD[\s\S]*Now +mend")
        s.press("Enter")
        s.wait("imap.tcp: [\\s\\S]*IMAP server")
        s.press("Down")
        s.type(str(dovecot.imaps))
        s.press("Up", "Up")
        s.type(dovecot.ca)
        s.press("Enter")
        s.wait("Only listed senders")
        s.press("Enter")
        s.wait("as before")
        s.press("Enter")
        s.wait("Write it down")
        s.press("Enter")
        assert s.end() == 0
    assert first.healthy()


def test_resize_in_the_middle(first, dovecot):
    with first.screen() as s:
        to_who(first, s)
        s.type(ADDRESS)
        s.resize(120, 40)
        s.wait(rf"Mail address +{ADDRESS}")
        s.resize(30, 8)
        s.wait("The window is too small")
        s.press("Enter")
        s.resize(60, 16)
        s.wait(rf"Mail address +{ADDRESS}")
        s.press("Enter")
        s.wait("IMAP server")
        s.resize(80, 24)
        to_login(dovecot, s)
        s.type(PASSWORD[:6])
        s.resize(100, 30)
        s.wait(r"Password +\*{6}\n")
        s.type(PASSWORD[6:])
        s.resize(80, 24)
        s.wait(r"Password +\*{12}\n")
        s.press("Enter")
        s.wait("Write it down")
        s.resize(60, 16)
        s.wait("Write it down")
        s.press("Enter")
        assert s.end() == 0
    assert first.healthy()


STEPS = ["keys", "shown", "who", "servers", "policy", "login", "confirm"]


@pytest.mark.parametrize("at, how", [
    *((step, "C-c") for step in STEPS),
    ("shown", signal.SIGTERM), ("confirm", signal.SIGTERM),
    ("shown", signal.SIGKILL), ("confirm", signal.SIGKILL),
])
def test_given_up_at_each_step_leaves_nothing(first, dovecot, at, how):
    walk = [
        lambda s: s.wait("Make the keys now"),
        lambda s: (s.press("Enter"), first.take_keys(s)),
        lambda s: (s.press("Enter"), s.wait("Mail address")),
        lambda s: to_servers(s),
        lambda s: (s.type(f"localhost:{dovecot.imaps}"), s.press("Up"),
                   s.type(dovecot.ca), s.press("Enter"), s.wait("Only listed")),
        lambda s: (s.press("Enter"), s.wait("User name")),
        lambda s: (s.type(PASSWORD), s.press("Enter"), s.wait("Write it down")),
    ]
    with first.screen() as s:
        for step in walk[:STEPS.index(at) + 1]:
            step(s)
        if how == "C-c":
            s.press("C-c")
            assert s.end() == 2
            # The folders of the database are not made either.
            assert list(first.folder.iterdir()) == []
            shown = s.text(history=True)
            assert "nothing was written" in shown
            assert not re.search(KEY, shown) and "User name" not in shown
        else:
            os.kill(s.pid, how)
            assert s.end() != 0
    assert first.nothing()


def test_keys_do_not_stay_on_the_only_screen(first):
    with first.screen(TERM="vt100") as s:
        s.wait("Make the keys now")
        s.press("Enter")
        first.take_keys(s)
        s.press("C-c")
        assert s.end() == 2
        assert not re.search(KEY, s.text(history=True))


@pytest.fixture
def silent():
    """A server that accepts and says nothing."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        s.listen(8)
        yield s.getsockname()[1]


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as f:
        return [int(x) for x in f.read().split()]


@pytest.mark.parametrize("key", ["Escape", "C-c"])
def test_a_test_that_takes_long_can_be_left(first, silent, key):
    with first.screen() as s:
        to_who(first, s)
        to_servers(s)
        s.type(f"127.0.0.1:{silent}")
        s.press("Enter", "Enter")
        s.wait("User name")
        s.type(PASSWORD)
        s.press("Enter")
        s.wait("Trying it[\\s\\S]*imap.tcp")
        trying = children(s.pid)
        assert len(trying) == 1
        s.resize(90, 30)
        s.wait("imap.tcp")
        s.press(key)
        if key == "Escape":
            s.wait("User name", 5)
            s.press("C-c")
        assert s.end() == 2
        assert not ports.alive(trying[0])
    assert first.nothing()


def test_who_knows_the_provider_is_not_asked(first):
    with first.screen() as s:
        to_who(first, s)
        s.type("somebody@gmail.com")
        s.press("Down", "Down")
        s.press("Space")
        s.wait("Agents may +RW")
        s.press("Enter")
        shown = s.wait(r"Servers found[\s\S]*SMTP security +tls").group(0)
        assert re.search("IMAP server +imap.gmail.com", shown)
        assert re.search("SMTP server +smtp.gmail.com", shown)
        assert re.search("SMTP port +465", shown)
        # Another address, other servers.
        s.press("Escape")
        s.wait("Mail address")
        s.press("C-u")
        s.type("somebody@gmx.de")
        s.press("Enter")
        s.wait("IMAP server +imap.gmx.net")
        s.press("C-c")
        assert s.end() == 2
    assert first.nothing()


# -- plain prompts


def plain(first, dovecot, s, wrong=False, answers=()):
    s.wait(r"Make the keys now \(yes\|no\) \[yes\]:$")
    s.press("Enter")
    first.take_keys(s)
    s.wait(r"They are put away .*:$")
    s.press("Enter")
    for question, answer in [
            ("Mail address", ADDRESS), ("Account name", ""),
            ("Agents may", ""), ("IMAP server", f"localhost:{dovecot.imaps}"),
            ("IMAP port", ""), ("IMAP security", ""), ("Sign in with", ""),
            ("Private CA file", dovecot.ca), ("Only listed senders", ""),
            ("Listed senders", ""), ("User name", "")]:
        s.wait(rf"{question}[^\n]*:$")
        s.type(answer)
        s.press("Enter")
    for secret in (["wrong"] if wrong else []) + [PASSWORD]:
        s.wait(r"Password \(not shown[^\n]*\):$")
        s.type(secret)
        s.press("Enter")
        if secret == "wrong":
            s.wait(r"! imap.login: the server refused[\s\S]*User name[^\n]*:$")
            s.press("Enter")
    s.wait(r"imap.login +ok[\s\S]*Write it down[^\n]*:$")
    assert first.nothing()
    s.press("Enter")
    assert s.end() == 0
    after = s.text(history=True)
    assert PASSWORD not in after and "wrong\n" not in after


PLAIN = {
    "dumb": {"TERM": "dumb"},
    # What a terminal looks like where there is no terminfo for it.
    "unknown": {"TERM": "no-such-terminal"},
    "none": {"TERM": None},
    "asked for": {"argv": ["--no-tui"]},
}


@pytest.mark.parametrize("how", PLAIN)
def test_first_run_by_lines(first, dovecot, how):
    env = dict(PLAIN[how])
    with first.screen(*env.pop("argv", []), **env) as s:
        plain(first, dovecot, s, wrong=how == "dumb")
    assert first.healthy()


def test_lines_go_back_and_can_be_given_up(first):
    with first.screen(TERM="dumb") as s:
        s.wait(r"Make the keys now[^\n]*:$")
        s.press("Enter")
        s.wait(r"put away[^\n]*:$")
        s.type("y")
        s.press("Enter")
        s.wait(r"Mail address[^\n]*:$")
        s.type("no address")
        s.press("Enter")
        s.wait(r"! [^\n]*\nMail address[^\n]*:$")
        s.type("<")
        s.press("Enter")
        s.wait(r"put away[^\n]*:$")
        s.press("C-c")
        assert s.end() != 0
    assert first.nothing()


# -- options alone


def flags(first, dovecot, *more, stdin=PASSWORD, env=None):
    return first.admin("init", "--from", ADDRESS, "--imap-host", "localhost",
                       "--imap-port", dovecot.imaps, "--ca", dovecot.ca,
                       "--password-stdin", *more, stdin=stdin,
                       env={"EMCLI_DB": str(first.db), **(env or {})})


def test_first_run_by_flags(first, dovecot):
    r = flags(first, dovecot)
    assert r.rc == 0 and r.out.startswith(b"made "), str(r)
    assert b"added lab" in r.out and PASSWORD.encode() not in r.out
    assert first.healthy()


def test_the_same_comes_of_every_face(tmp_path, dovecot):
    done = []
    for face in "forms", "lines", "flags":
        first = First(tmp_path / face / "home")
        if face == "flags":
            assert flags(first, dovecot).rc == 0
        else:
            with first.screen(TERM="dumb" if face == "lines" else "xterm") as s:
                if face == "lines":
                    plain(first, dovecot, s)
                else:
                    to_who(first, s)
                    to_servers(s)
                    to_login(dovecot, s)
                    assert finish(s) == 0
        done.append(first.rows())
    assert done[0] == done[1] == done[2]


@pytest.mark.parametrize("left_out, says", [
    ("--from", "--from is missing"),
    ("--imap-host", "--imap-host is missing"),
    ("--password-stdin", "--password-file or --password-stdin is missing"),
])
def test_what_no_flag_says_is_named(first, dovecot, left_out, says):
    argv = ["init", "--from", ADDRESS, "--imap-host", "localhost", "--imap-port",
            str(dovecot.imaps), "--ca", dovecot.ca, "--password-stdin"]
    at = argv.index(left_out)
    del argv[at:at + (1 if left_out == "--password-stdin" else 2)]
    r = first.admin(*argv, stdin=PASSWORD, env={"EMCLI_DB": str(first.db)})
    assert r.rc == 2 and says in r.err.decode(), str(r)
    assert first.nothing()


@pytest.mark.parametrize("flag, value", [
    ("--mode", "XX"), ("--imap-port", "0"), ("--account", "a b"),
    ("--allow-in", "everybody"), ("--ca", "/nonexistent"),
    ("--whitelist-in", "maybe"),
])
def test_bad_flags_change_nothing(first, dovecot, flag, value):
    r = flags(first, dovecot, f"{flag}={value}")
    assert r.rc == 2 and r.out == b"", str(r)
    assert first.nothing()


def test_flags_that_do_not_work_are_not_kept(first, dovecot):
    r = flags(first, dovecot, stdin="wrong")
    assert r.rc == 1 and b"imap.login" in r.err, str(r)
    assert first.nothing()
    r = flags(first, dovecot, "--no-test", stdin="wrong")
    assert r.rc == 0, str(r)
    r = first.run("doctor", env={"EMCLI_DB": str(first.db)})
    assert r.rc == 1 and r.json["data"]["ok"] is False


def test_flags_for_sending_and_lists(first, dovecot):
    r = flags(first, dovecot, "--mode", "RW", "--no-test", "--smtp-host", "localhost",
              "--account", "work", "--whitelist-in", "on", "--allow-in",
              "Boss@Them.example", "@us.example", "--allow-out", "@us.example")
    assert r.rc == 0, str(r)
    accounts, lists, _ = first.rows()
    a = accounts[0]
    assert (a["name"], a["mode"], a["smtp_port"], a["smtp_security"]) == (
        "work", "RW", 465, "tls")
    assert a["whitelist_in_enabled"] == a["whitelist_out_enabled"] == 1
    assert lists == [[("@us.example",), ("boss@them.example",)], [("@us.example",)]]


def test_known_servers_want_a_yes(first):
    argv = ["init", "--from", "me@gmail.com", "--password-stdin", "--no-test"]
    env = {"EMCLI_DB": str(first.db)}
    r = first.admin(*argv, stdin="x", env=env)
    assert r.rc == 2 and b"--imap-host is missing" in r.err, str(r)
    assert first.nothing()
    r = first.admin(*argv, "--yes", stdin="x", env=env)
    assert r.rc == 0 and b"imap.gmail.com, port 993" in r.out, str(r)
    a = first.rows()[0][0]
    assert (a["imap_host"], a["imap_port"], a["username"]) == (
        "imap.gmail.com", 993, "me@gmail.com")
    # Google's servers fill Sent themselves: a switch of the account.
    assert a["sent_copy"] == 0


def test_keys_are_not_made_for_nobody(first):
    for left_out, says in [("EMCLI_ADMIN_KEY", "EMCLI_ADMIN_KEY"),
                           ("EMCLI_KEY", "EMCLI_KEY is not set")]:
        r = first.admin("init", env={left_out: None, "EMCLI_DB": str(first.db)})
        assert r.rc == 1 and says in r.err.decode(), str(r)
    assert first.nothing()


# -- again


def keys(first):
    return {"EMCLI_KEY": first.agent_key, "EMCLI_ADMIN_KEY": first.admin_key}


def test_again_adds_another_or_stops(first, dovecot):
    assert flags(first, dovecot).rc == 0
    before = first.rows()
    with first.screen(**keys(first)) as s:
        s.wait(r"a database with 1 account:[\s\S]*Add another account +yes")
        s.press("Space", "Enter")
        assert s.end() == 0
        assert "kept" in s.text()
    assert first.rows() == before
    with first.screen(**keys(first)) as s:
        s.wait("Add another account")
        s.press("Enter")
        s.wait("Mail address")
        s.press("Escape")
        s.wait("Add another account")
        s.press("Enter")
        s.wait("Mail address")
        s.type(ADDRESS)
        s.press("Enter")
        # The name of the first is taken.
        s.wait("there is an account lab already")
        s.press("Down")
        s.type("second")
        s.press("Enter")
        s.wait("IMAP server")
        to_login(dovecot, s)
        assert finish(s) == 0
    assert [a["name"] for a in first.rows()[0]] == ["lab", "second"]
    assert first.healthy("second")
    with first.screen(**keys(first)) as s:
        s.wait("with 2 accounts")
        s.press("C-c")
        assert s.end() == 2


def test_a_store_is_opened_with_its_own_keys_alone(first, dovecot):
    assert flags(first, dovecot).rc == 0
    before = first.rows()
    for env, says in [({}, "requires EMCLI_ADMIN_KEY"),
                      ({"EMCLI_KEY": first.agent_key}, "requires EMCLI_ADMIN_KEY"),
                      ({"EMCLI_ADMIN_KEY": first.admin_key}, "EMCLI_KEY is not set"),
                      ({"EMCLI_ADMIN_KEY": cli.key(), "EMCLI_KEY": first.agent_key},
                       "EMCLI_ADMIN_KEY")]:
        with first.screen(**env) as s:
            assert s.end() == 1
            assert says in s.text()
    assert first.rows()[0] == before[0]
