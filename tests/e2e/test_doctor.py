# SPDX-License-Identifier: Apache-2.0
"""What doctor says: of some two hundred broken set-ups, and of this machine."""
import concurrent.futures
import contextlib
import fcntl
import json
import os
import pathlib
import pty
import re
import shutil
import sqlite3
import struct
import subprocess
import tempfile
import termios
import threading
import time

import pytest

import broken
import cli
import imapd
import level
import ports
import smtpd

AT_ONCE = 6
CASES = broken.cases()


class Lab:
    """Stores that hold all the cases' accounts: one in no hurry, one that is."""

    def __init__(self, folder, certs):
        self.folder, self.certs = folder, certs
        self.stores = {}
        # The second is as long as what comes before a silence may take.
        for name, seconds in ("patient", 30), ("quick", 6), ("hasty", 2):
            e = cli.Emcli(folder / name)
            e.init()
            assert e.admin("config", "set", "timeout_seconds", seconds).rc == 0
            self.stores[name] = e
        self.closed = ports.free(1)[0]

    def server(self, stack, kind, case, p):
        cert, key, _ = getattr(self.certs, case.cert.get(p, "good"))
        kw = {"starttls": case.security == "starttls",
              "users": {"me": broken.PLANTED}, **getattr(case, p)}
        kw = {k: v() if callable(v) else v for k, v in kw.items()}
        return stack.enter_context(kind(cert, key, **kw))

    def flags(self, case, stack):
        """Options of `account add`; servers start on the way."""
        f = {"mode": "RW", "from": "me@lab.example"}
        if case.maildir:
            # As it was when the account was added: a Maildir.
            path = self.folder / f"{case.id}.mail"
            for half in "cur", "new", "tmp":
                (path / half).mkdir(parents=True)
            return {**f, "backend": "maildir", "path": path}
        ca = self.certs.ca
        if case.flags.get("ca") == "OWN":
            ca = self.folder / f"{case.id}.ca"
            shutil.copy(self.certs.ca, ca)
            ca.chmod(0o644)
        f.update({"username": "me", "ca": ca})
        for p, kind in ("imap", imapd.Imapd), ("smtp", smtpd.Smtpd):
            f.update({f"{p}_host": "localhost", f"{p}_security": case.security,
                      f"{p}_port": self.server(stack, kind, case, p).port})
        given = {k: self.closed if v == "CLOSED" else v
                 for k, v in case.flags.items() if k != "ca"}
        if given.get("attach_dir") == "OWN":
            given["attach_dir"] = self.folder / f"{case.id}.out"
            given["attach_dir"].mkdir(mode=0o700)
        return {**f, **given}

    def run(self, case):
        self.emcli = self.stores["patient"]
        e = self.stores[{False: "patient", True: "quick"}.get(case.slow, case.slow)]
        with contextlib.ExitStack() as stack:
            argv = ["account", "add", case.id, *e.options(self.flags(case, stack))]
            if not case.maildir:
                argv.append("--password-stdin")
            r = e.admin(*argv, stdin=case.password)
            assert r.rc == 0, str(r)
            if case.maildir:
                path = self.folder / f"{case.id}.mail"
                shutil.rmtree(path)
                path.mkdir()
                case.maildir(path)
            if case.spoil:
                case.spoil(self, case.id)
            env = {k: v.replace("CLOSED", str(self.closed))
                   for k, v in case.env.items()}
            return e.run("doctor", "--account", case.id, env=env)


@pytest.fixture(scope="module")
def results(tmp_path_factory, certs):
    """Every case's run, some at a time: {id: a function that gives it}."""
    lab = Lab(tmp_path_factory.mktemp("doctor"), certs)
    # Those that wait for a silent server go first.
    order = sorted(CASES, key=lambda c: not c.slow)
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        done = {c.id: pool.submit(lab.run, c) for c in order}
        concurrent.futures.wait(done.values())
    yield done


def holds(checks, want, kind, r):
    """Those checks and no others, each with its message and remedy."""
    assert sorted(c["check"] for c in checks) == sorted(want), (kind, str(r))
    for c in checks:
        message, remedy = want[c["check"]]
        assert message in c["message"] and remedy in c.get("next", ""), (c, remedy)
        if kind == "bad":
            assert c["next"], c


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.id)
def test_what_is_broken_is_named(results, case):
    r = results[case.id].result()
    checks = r.json["data"]["checks"]
    mine = [c for c in checks if c["account"] == case.id]
    holds([c for c in mine if not c["ok"]], case.bad, "bad", r)
    noted = [c for c in mine if c.get("note")]
    if "imap.capabilities" not in case.notes:  # the lab's server has no UIDPLUS
        noted = [c for c in noted if c["check"] != "imap.capabilities"]
    holds(noted, case.notes, "note", r)
    assert (r.rc == 0) == (not case.bad) == r.json["data"]["ok"]
    # The rest of emcli is well, and an agent learns neither secret nor path.
    assert all(c["ok"] for c in checks if c["account"] is None), str(r)
    assert case.password.encode() not in r.out
    # The socket of a broker is the caller's own.
    told = re.sub(rb"broker at [^:]*/emcli\.sock: ", b"", r.out)
    assert b"/tmp" not in told and b"detail\"" not in told.replace(b"error_detail\"", b"")


def test_there_are_two_hundred():
    assert len(CASES) > 200


# -- accounts side by side


@pytest.fixture
def pair(emcli, certs):
    with imapd.Imapd(*certs.good[:2]) as good, imapd.Imapd(
            *certs.good[:2], fault=("greeting", "stall")) as silent:
        yield emcli, certs, good, silent


def add(emcli, certs, name, server, password="secret", **flags):
    given = {"imap_host": "localhost", "imap_port": server.port, "username": "me",
             "ca": certs.ca, **flags}
    r = emcli.admin("account", "add", name, "--password-stdin",
                    *emcli.options(given), stdin=password)
    assert r.rc == 0, str(r)


def bad(r):
    return {(c["account"], c["check"]) for c in r.json["data"]["checks"]
            if not c["ok"]}


def test_one_silent_server_holds_up_nobody(pair):
    """Ten accounts, three of them silent: the time of one and a bit."""
    emcli, certs, good, silent = pair
    assert emcli.admin("config", "set", "timeout_seconds", "10").rc == 0
    for i in range(7):
        add(emcli, certs, f"good{i}", good)
    for i in range(3):
        add(emcli, certs, f"silent{i}", silent)
    begun = time.monotonic()
    r = emcli.run("doctor")
    assert time.monotonic() - begun < 28, "they were tried one after the other"
    assert bad(r) == {(f"silent{i}", "imap.greeting") for i in range(3)}, str(r)
    order = [c["account"] for c in r.json["data"]["checks"] if c["account"]]
    assert order == sorted(order), "the report is in the accounts' order"


def test_one_broken_account_of_two(pair):
    emcli, certs, good, _ = pair
    add(emcli, certs, "right", good)
    add(emcli, certs, "wrong", good, password="another")
    r = emcli.run("doctor")
    assert bad(r) == {("wrong", "imap.login")} and r.rc != 0
    assert emcli.run("doctor", "--account", "right").rc == 0
    assert emcli.run("doctor", "--account", "nobody").code == "not_found"


def children(pid):
    path = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
    return [int(c) for c in path.read_text().split()]


def wait_for(what, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        got = what()
        if got:
            return got
        time.sleep(0.02)
    raise AssertionError("it never came")


def test_a_child_that_dies_is_a_line(pair):
    emcli, certs, _, silent = pair
    add(emcli, certs, "silent", silent)
    env = emcli.environment(EMCLI_KEY=emcli.agent_key)
    spoken = threading.Event()  # TLS is up: what came before it was told

    def stall(session, _):
        spoken.set()
        session.spoil_stall()

    silent.fault = "greeting", stall
    p = emcli.start(["doctor"], env)
    wait_for(spoken.is_set)
    os.kill(wait_for(lambda: children(p.pid))[0], 9)
    out, _ = p.communicate(timeout=60)
    checks = json.loads(out)["data"]["checks"]
    assert [c["check"] for c in checks if not c["ok"]] == ["process"]
    # What it had found before is there all the same.
    assert "imap.tcp" in [c["check"] for c in checks]


def test_no_child_outlives_doctor(pair):
    emcli, certs, _, silent = pair
    add(emcli, certs, "silent", silent)
    p = emcli.start(["doctor"], emcli.environment(EMCLI_KEY=emcli.agent_key))
    child = wait_for(lambda: children(p.pid))[0]
    p.kill()
    p.communicate()
    wait_for(lambda: not ports.alive(child))


# -- keys, files and the store


def doctor(emcli, **env):
    full = {"EMCLI_KEY": emcli.agent_key, **env}
    return emcli.call(["doctor"], emcli.environment(**full), None, 60)


KEYS = [
    ({"EMCLI_KEY": None}, "EMCLI_KEY is not set", "EMCLI_KEY_FILE"),
    ({"EMCLI_KEY": ""}, "EMCLI_KEY is not set", "EMCLI_KEY_FILE"),
    ({"EMCLI_KEY": "short"}, "not a base64", "key generate"),
    ({"EMCLI_KEY": "A" * 44}, "not a base64", "key generate"),
    ({"EMCLI_KEY": "A" * 43}, "not a base64", "key generate"),
    ({"EMCLI_KEY": "A" * 43 + "= "}, "not a base64", "key generate"),
    ({"EMCLI_KEY": "A" * 20000}, "too long", ""),
    ({"EMCLI_KEY": cli.key()}, "does not open", "EMCLI_DB"),
    ({"EMCLI_KEY": None, "EMCLI_ADMIN_KEY": cli.key()}, "does not open", "EMCLI_DB"),
    ({"EMCLI_KEY": None, "EMCLI_ADMIN_KEY": "x"}, "not a base64", "key generate"),
    ({"EMCLI_DB": "/nonexistent/emcli.db"}, "no database", "emcli init"),
    ({"EMCLI_DB": "/dev/null"}, "not a regular file", ""),
    ({"EMCLI_KEY_FILE": "/nonexistent", "EMCLI_KEY": None}, "cannot be read",
     "may read"),
    ({"EMCLI_ADMIN_KEY_FILE": "/nonexistent"}, "cannot be read", "may read"),
    ({"EMCLI_AGENT": "no name"}, "not a name", ""),
]


@pytest.mark.parametrize("env, message, remedy", KEYS)
def test_keys_that_do_not_do(emcli, env, message, remedy):
    r = doctor(emcli, **env)
    assert r.code == "config"
    said = r.json["error_detail"]
    assert message in said["message"] and remedy in said.get("next", ""), said


def test_key_file_open_to_others_names_chmod(emcli, tmp_path):
    path = tmp_path / "key"
    path.write_text(emcli.agent_key)
    path.chmod(0o644)
    r = doctor(emcli, EMCLI_KEY=None, EMCLI_KEY_FILE=str(path))
    assert r.code == "config" and "chmod 600" in r.json["error_detail"]["next"]


def test_operators_key_that_is_another_stores(emcli, site):
    emcli.account_maildir(site.box("agent"))
    r = doctor(emcli, EMCLI_ADMIN_KEY=cli.key())
    assert bad(r) == {(None, "key.admin")} and r.rc != 0
    assert b"detail\":\"/" not in r.out, "it proves nobody an operator"
    assert doctor(emcli, EMCLI_ADMIN_KEY=emcli.admin_key).rc == 0


@pytest.mark.parametrize("spoil, message, remedy", [
    (lambda db: db.parent.chmod(0o777), "may write to the database's folder", "700"),
    (lambda db: db.parent.chmod(0o770), "may write to the database's folder", "700"),
    (lambda db: db.parent.chmod(0o1777), "may write to the database's folder", "700"),
    (lambda db: pathlib.Path(f"{db}-wal").chmod(0o644), "database's log", "600"),
    (lambda db: pathlib.Path(f"{db}-shm").chmod(0o640), "shared memory", "600"),
])
def test_files_open_to_others(emcli, site, spoil, message, remedy):
    emcli.account_maildir(site.box("agent"))
    assert emcli.run("doctor").rc == 0
    spoil(emcli.db)
    r = emcli.run("doctor")
    # A broker's caller that can read the store is told of that as well.
    also = {(None, "isolation")} if level.name == "broker" else set()
    assert bad(r) - also == {(None, "files")}, str(r)
    c = [c for c in r.json["data"]["checks"] if not c["ok"]][0]
    assert message in c["message"] and remedy in c["next"]


def test_folder_that_can_be_looked_into_is_a_note(emcli, site):
    emcli.account_maildir(site.box("agent"))
    emcli.db.parent.chmod(0o755)
    r = emcli.run("doctor")
    c = [c for c in r.json["data"]["checks"] if c["check"] == "files"]
    assert r.rc == 0 and c[0]["note"] and "chmod 700" in c[0]["next"]


def test_a_store_without_accounts_says_what_to_do(emcli):
    """It is no fault: whoever has just run init sees what is next."""
    r = emcli.run("doctor")
    assert r.rc == 0 and bad(r) == set() and b"emcli account add" in r.out
    c = [c for c in r.json["data"]["checks"] if c["check"] == "accounts"]
    assert c[0]["note"] and c[0]["message"] == "there is no account yet"


@pytest.mark.parametrize("text, code", [
    ("update settings set value = 'x' where key = 'dek_wrap_agent'", "config"),
    ("delete from settings where key = 'dek_wrap_agent'", "config"),
    ("insert into migration values (999, 'x', 'x')", "config"),
    ("drop table accounts", "db"),
])
def test_a_store_somebody_spoilt(emcli, text, code):
    assert emcli.run("list-skills").rc == 0
    with sqlite3.connect(emcli.db) as db:
        db.execute(text)
    db.close()
    r = emcli.run("doctor")
    assert r.code == code, str(r)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else")
def test_a_maildir_this_user_may_not_read():
    # pytest's own folders are root's alone.
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o711)
        e = cli.Emcli(pathlib.Path(folder) / "home")
        e.init()
        box = pathlib.Path(folder) / "box"
        for half in "cur", "new", "tmp":
            (box / half).mkdir(parents=True)
        e.account_maildir(box)
        box.chmod(0o700)
        program = shutil.copy(e.binary, e.folder / "emcli")
        for p in [e.folder, *e.folder.rglob("*")]:
            os.chown(p, 65534, 65534)
        done = subprocess.run(
            [program, "doctor"], user=65534, group=65534, extra_groups=[],
            env=e.environment(EMCLI_KEY=e.agent_key, ASAN_OPTIONS="detect_leaks=0"),
            capture_output=True, timeout=60)
    checks = json.loads(done.stdout)["data"]["checks"]
    assert [c["check"] for c in checks if not c["ok"]] == ["maildir.path"], done


# -- for a person


def at_terminal(emcli, *argv, **env):
    main, side = pty.openpty()
    full = emcli.environment(**{"EMCLI_KEY": emcli.agent_key, **env})
    done = subprocess.run([emcli.binary, *argv], stdout=side,
                          stderr=subprocess.PIPE, env=full, timeout=60)
    os.close(side)
    text = b""
    with contextlib.suppress(OSError):
        while chunk := os.read(main, 65536):
            text += chunk
    os.close(main)
    return done, text.decode().replace("\r\n", "\n")


@pytest.fixture
def work(emcli, certs):
    with imapd.Imapd(*certs.good[:2]) as server:
        add(emcli, certs, "right", server)
        add(emcli, certs, "wrong", server, password="another")
        yield emcli


def test_person_sees_aligned_lines_and_remedies(work):
    done, text = at_terminal(work, "doctor", NO_COLOR="1")
    assert done.returncode == 1 and "\033" not in text
    rows = [x for x in text.splitlines() if re.match(r"(ok|BAD|note) ", x)]
    column = rows[0].index("key.agent")
    assert all(row[column - 1] == " " != row[column] for row in rows), text
    lines = text.splitlines()
    at = [i for i, x in enumerate(lines) if x.startswith("BAD")]
    assert len(at) == 1 and " imap.login " in lines[at[0]]
    assert lines[at[0] + 1].startswith("      -> check user name and password")
    assert re.fullmatch(r"1 of \d+ checks failed", lines[-1])
    assert re.search(r"\d+ ms ", lines[at[0]])
    assert any("not against an agent with a shell" in x for x in lines)


def test_colour_is_for_terminals_that_may(work):
    done, text = at_terminal(work, "doctor")
    assert "\033[32mok" in text and "\033[1;31mBAD" in text
    assert "\033[33mnote" in text
    for env in {"NO_COLOR": "yes"}, {"TERM": "dumb"}:
        assert "\033" not in at_terminal(work, "doctor", **env)[1]
    assert "\033" in at_terminal(work, "doctor", NO_COLOR="")[1]
    assert b"\033" not in work.run("doctor").out


@pytest.mark.parametrize("columns", [60, 80, 132])
def test_lines_are_no_wider_than_the_terminal(work, columns):
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    env = work.environment(EMCLI_KEY=work.agent_key, EMCLI_ADMIN_KEY=work.admin_key,
                           NO_COLOR="1")
    for argv in ("audit", "list"), ("account", "list"), ("doctor", "--account", "wrong"):
        r = subprocess.run([work.binary, *argv], stdout=side, env=env, timeout=60,
                           stderr=subprocess.DEVNULL)
        assert r.returncode == (argv[0] == "doctor")
    os.close(side)
    text = b""
    with contextlib.suppress(OSError):
        while chunk := os.read(main, 65536):
            text += chunk
    os.close(main)
    lines = text.decode().replace("\r\n", "\n").split("\n")
    # A word is not broken: a path, or a key's pin, which has no "/" now and then.
    words = [x for x in lines if "/" in x or len(x.split()) == 1]
    least = max(columns, 8 * 8 + 7 * 2)  # of a table with eight columns
    assert max(len(x) for x in lines if x not in words) <= least, text.decode()
    assert columns == 132 or any("..." in x for x in lines)


def test_text_goes_into_a_pipe_when_asked(work):
    r = work.run("doctor", "--text")
    assert r.rc == 1 and b"\033" not in r.out and not r.out.startswith(b"{")
    assert re.search(rb"^BAD   wrong +imap.login ", r.out, re.M), r.out
    assert re.search(rb"^1 of \d+ checks failed$", r.out, re.M)
    both = work.run("doctor", "--text", "--json")
    assert both.rc == 2 and "exclude each other" in both.json["error_detail"]["message"]


def test_details_are_for_the_operator(work):
    path = str(work.db)
    assert path not in at_terminal(work, "doctor")[1]
    assert "AUTHENTICATIONFAILED" not in at_terminal(work, "doctor")[1]
    mine = {"EMCLI_ADMIN_KEY": work.admin_key}
    text = at_terminal(work, "doctor", **mine)[1]
    assert path in text and "AUTHENTICATIONFAILED" in text
    assert re.search(r"pin [A-Za-z0-9+/]{43}=", text)
    assert path.encode() in work.admin("doctor").out
    assert path.encode() not in work.run("doctor").out


def test_person_without_a_key_sees_a_sentence_and_a_remedy(work):
    done, text = at_terminal(work, "doctor", EMCLI_KEY=None)
    assert done.returncode == 1 and text == ""
    assert done.stderr.decode().splitlines() == [
        "emcli: EMCLI_KEY is not set",
        "emcli: next: give the key in EMCLI_KEY, the name of a file that contains it in"
        " EMCLI_KEY_FILE, or a program that prints it in EMCLI_KEY_COMMAND"]


def test_a_servers_words_cannot_drive_the_terminal(emcli, certs):
    evil = b"@TAG@ NO [AUTHENTICATIONFAILED] \x1b]0;owned\x07\tx\r\n"
    with imapd.Imapd(*certs.good[:2], fault=("login", evil)) as server:
        add(emcli, certs, "evil", server)
        text = at_terminal(emcli, "doctor", NO_COLOR="1",
                           EMCLI_ADMIN_KEY=emcli.admin_key)[1]
    assert "owned" in text
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f]", text)


def test_certificate_that_ends_soon_is_a_note(emcli, certs, tmp_path):
    import tlslab
    folder = pathlib.Path(certs.folder)
    tlslab._request(tmp_path, "soon", tlslab.NAMES)
    tlslab.openssl("x509", "-req", "-in", tmp_path / "soon.csr", "-CA",
                   folder / "ca.crt", "-CAkey", folder / "ca.key", "-days", "5",
                   "-copy_extensions", "copy", "-set_serial", "77", "-out",
                   tmp_path / "soon.crt")
    with imapd.Imapd(tmp_path / "soon.crt", tmp_path / "soon.key") as server:
        add(emcli, certs, "soon", server)
        r = emcli.run("doctor", "--account", "soon")
    tls = [c for c in r.json["data"]["checks"] if c["check"] == "imap.tls"][0]
    assert r.rc == 0 and tls["note"] and "renew" not in tls["message"]
    assert "ends soon" in tls["next"] and re.search(r"for [45] days", tls["message"])


def test_keys_know_where_they_came_from(emcli, site, tmp_path):
    emcli.account_maildir(site.box("agent"))
    path = tmp_path / "emcli-key"
    path.write_text(emcli.agent_key)
    path.chmod(0o600)

    def said(**env):
        r = doctor(emcli, EMCLI_KEY=None, **env)
        assert r.rc == 0, str(r)
        return [c for c in r.json["data"]["checks"] if c["check"] == "key.agent"][0]

    assert "from a file" in said(EMCLI_KEY_FILE=str(path))["message"]
    assert "systemd" in said(CREDENTIALS_DIRECTORY=str(tmp_path))["message"]
    assert said(EMCLI_ADMIN_KEY=emcli.admin_key)["note"] is True


# -- what the operator may not have meant, and what this machine lacks


def told(emcli, check, **env):
    r = emcli.admin("doctor", "--account", "box", env=env)
    return [c for c in r.json["data"]["checks"] if c["check"] == check]


@pytest.fixture
def box(emcli, site):
    emcli.account_maildir(site.box("agent"), name="box", mode="RW")
    return emcli


POLICY = [
    ([("in", "on"), ("out", "off")], ["agents see no mail", "write to anybody"]),
    ([("in", "off"), ("out", "on")], ["write to nobody"]),
    ([("in", "off"), ("out", "off")], ["write to anybody"]),
]


@pytest.mark.parametrize("switches, said", POLICY)
def test_a_policy_that_cannot_be_meant_is_noted(box, switches, said):
    for which, state in switches:
        assert box.admin("whitelist", which, state, "--account", "box").rc == 0
    got = told(box, "policy")
    assert len(got) == len(said)
    for c, words in zip(got, said):
        assert c["ok"] and c["note"] and words in c["message"], got
        assert "--account box" in c["next"]
    # An agent is told nothing of it.
    assert b'"policy"' not in box.run("doctor").out


def test_a_policy_with_nothing_odd_is_good(box):
    for which in "in", "out":
        assert box.admin("whitelist", which, "add", "--account", "box", "@x.example").rc == 0
        assert box.admin("whitelist", which, "on", "--account", "box").rc == 0
    (c,) = told(box, "policy")
    assert c["ok"] and "note" not in c


def test_approvals_that_nobody_sees_are_told(box):
    assert told(box, "approvals") == []
    sql = ("INSERT INTO outbox (account_id, principal, request, message_id, sender, bytes,"
           " digest, policy, state, created_s, changed_s, expires_s)"
           " VALUES (1, 'agent', 'r', '<1@x>', 'a@x', 1, 'd', 'p', ?, ?, ?, ?)")
    now = int(time.time())
    for state, ago, words in (("expired", 90000, "1 message expired before anybody"),
                              ("held", 10, "1 message waits for approval"),
                              ("held", 7300, "the oldest for 2 hours, and nobody looks")):
        with sqlite3.connect(box.db) as db:
            db.execute(sql, (state, now - ago, now - ago, now + 90000))
        db.close()
        (c,) = told(box, "approvals")
        assert c["note"] and words in c["message"] and "approve list" in c["next"]
    # Changes of mail wait in the same queue.
    with sqlite3.connect(box.db) as db:
        db.execute("INSERT INTO outbox_change (outbox_id, kind, folder, uidvalidity, target,"
                   " flags_set, flags_clear, labels_add, labels_drop, messages)"
                   " VALUES (3, 'mark', 'INBOX', 1, '', 1, 0, '', '', 1)")
    db.close()
    (c,) = told(box, "approvals")
    assert c["message"].startswith("2 messages and changes of mail wait for approval, the"), c


@pytest.mark.parametrize("file, name, package", [
    ("libcurl.so.4", "libcurl", "libcurl4"), ("libz.so.1", "zlib", "zlib1g"),
    ("liblzma.so.5", "liblzma", "liblzma5")])
def test_a_library_that_is_missing_is_named(box, tmp_path, file, name, package):
    """One that cannot be loaded lies before the machine's own."""
    (tmp_path / file).write_bytes(b"")
    if file in subprocess.run(["ldd", cli.binary()], capture_output=True, text=True).stdout:
        # Debian 13's libcrypto wants zlib: nothing can start, and the loader says why.
        r = box.run("doctor", env={"LD_LIBRARY_PATH": str(tmp_path)})
        assert r.rc == 127 and file.encode() in r.err
        return
    lines = {c["message"].split()[0]: c
             for c in told(box, "library", LD_LIBRARY_PATH=str(tmp_path))}
    assert len(lines) == 3
    assert all(c["ok"] for c in lines.values()) and lines[name]["note"]
    assert "is there" in lines["liblzma" if name != "liblzma" else "libcurl"]["message"]
    assert "is missing" in lines[name]["message"] and package in lines[name]["next"]


def test_without_libcurl_no_address_is_called_bad(emcli, tmp_path):
    good = ("--url", "https://mail.lab.example")
    for name, argv in (("jmap", ("--username", "me", "--password-stdin")),
                       ("ponymail", ("--list", "dev@lab.example"))):
        r = emcli.admin("account", "add", name, "--backend", name, *good, *argv,
                        stdin="secret" if name == "jmap" else None)
        assert r.rc == 0, str(r)
    (tmp_path / "libcurl.so.4").write_bytes(b"")
    env = {"LD_LIBRARY_PATH": str(tmp_path)}
    r = emcli.admin("doctor", env=env)
    assert r.rc == 1 and b"libcurl is missing" in r.out and b"not usable" not in r.out
    lines = [c for c in r.json["data"]["checks"] if c["check"] == "library"]
    assert [c["ok"] for c in lines] == [False, True, True]
    for name in "jmap", "ponymail":
        r = emcli.run("list", "--account", name, "--folder", "INBOX", env=env)
        assert r.rc == 1 and b"libcurl4" in r.out and b"usable" not in r.out, str(r)
    r = emcli.admin("model", "add", "house", "--url", "https://x.example/v1", env=env)
    assert r.rc == 1 and b"libcurl4" in r.err, str(r)


def test_authorities_and_sqlite_are_told(box, tmp_path):
    (c,) = told(box, "authorities", SSL_CERT_FILE=str(tmp_path / "none"))
    assert c["note"] and "--ca or --pin" in c["message"]
    (c,) = told(box, "sqlite")
    assert c["ok"] and re.fullmatch(r"SQLite 3\.[0-9.]+", c["message"])
