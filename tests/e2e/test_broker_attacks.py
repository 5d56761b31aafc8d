# SPDX-License-Identifier: Apache-2.0
"""
The attack table: an agent with a shell under user A, the broker under user B,
and the kernel between them.  Each row is an attempt, and 0 of them succeed.

The rows of attacks.py are tried on the broker's processes and files, as the
agent is and as root of a user namespace of its own; and once on what is the
agent's own, where the guard is missing: there each of them succeeds.

What guards them: for the rows of processes, the kernel's look at their user, and
that they are not dumpable; for those of files, the modes of the folders of the
database and of the socket.  Each test below names its own guard.  More rows are
in the modules named test_broker_*: files, others, floods, saves, confined, keys.
"""

import base64
import contextlib
import ctypes
import json
import os
import pathlib
import re
import socket
import subprocess
import threading

import pytest

import attacks
import level
from test_broker import A, B, BOX, C, TO, become, call, detail, fake, frame, house, whole

assert house  # a fixture: a house of this module's own
HERE = pathlib.Path(attacks.__file__)
NEW_ROOT = ["unshare", "--user", "--map-root-user"]
ROWS = [*attacks.PROCESS, *attacks.FILE]


def processes(house):
    """The broker's: the monitor and all below it."""
    return level.below(house.broker.pid)


@pytest.fixture(scope="module")
def script(house):
    """Where the agent can read it."""
    at = house.folder / HERE.name
    at.write_bytes(HERE.read_bytes())
    os.chmod(at, 0o755)
    return at


def run(script, facts, *way):
    done = subprocess.run([*become(A), *way, "/usr/bin/python3", str(script), json.dumps(facts)],
                          cwd="/", env={}, capture_output=True, timeout=60,
                          start_new_session=True)
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def facts_of(house):
    return {"pids": processes(house), "db": str(house.db), "socket": str(house.socket),
            "attach": str(house.attach)}


@pytest.fixture(scope="module")
def tried(house, script):
    gained = {"as itself": run(script, facts_of(house)),
              "as root of its own": run(script, facts_of(house), *NEW_ROOT)}
    assert house.broker.poll() is None and house.ask("list", *BOX).rc == 0
    return gained


@pytest.fixture(scope="module")
def own(house, script):
    """The same, where the agent is the owner of all."""
    at = house.folder / "own"
    for name in "store", "run", "attach":
        (at / name).mkdir(parents=True)
    for name in house.db.parent.iterdir():
        if name.is_file():
            (at / "store" / name.name).write_bytes(name.read_bytes())
    db = at / "store" / house.db.name
    for more in "-wal", "-shm":
        pathlib.Path(f"{db}{more}").touch()
    s = socket.socket(socket.AF_UNIX)
    s.bind(str(at / "run" / "s"))
    s.close()
    subprocess.run(["chown", "-R", f"{A}:{A}", at], check=True)
    return run(script, {"db": str(db), "socket": str(at / "run" / "s"),
                        "attach": str(at / "attach")})


def test_there_are_enough(tried):
    assert len(ROWS) >= 60
    assert {len(ROWS)} == {len(gained) for gained in tried.values()}


@pytest.mark.parametrize("row", ROWS)
def test_an_attempt_gains_nothing(tried, own, row):
    assert {way: gained[row] for way, gained in tried.items() if gained[row]} == {}
    assert own[row], "where nothing guards it, it succeeds"


def test_no_process_leaves_a_core(house):
    """Its limit is 0, which only root could raise, and the kernel makes none of it."""
    seen = 0
    for pid in processes(house):
        try:
            limits = pathlib.Path(f"/proc/{pid}/limits").read_text()
            owner = os.stat(f"/proc/{pid}/environ").st_uid
        except OSError:
            continue  # it has ended
        assert re.search(r"Max core file size +0 +0 ", limits), pid
        # Root's since it is not dumpable (proc(5)).
        assert owner == 0, pid
        seen += 1
    assert seen >= 4


def test_nothing_of_the_broker_s_user_can_be_read(house):
    """But what the scene itself laid open, and the socket.

    Guard: the modes of its files and folders.
    """
    found = subprocess.run(
        [*become(A), "find", house.folder, "/dev/shm", "-user", str(B), "-readable"], capture_output=True, text=True).stdout.split()
    open_to_all = {house.run_dir, house.socket, house.folder / "site"}
    assert [p for p in found if not open_to_all & {pathlib.Path(p), *pathlib.Path(p).parents}] == []


# -- who calls

def test_root_of_a_namespace_is_who_it_is_outside(house):
    """Guard: SO_PEERCRED, and agent_uid in the store."""
    def ask(*argv, **more):
        return subprocess.run([*become(A), *NEW_ROOT, house.binary, *argv], capture_output=True,
                              env=house.agent_env(**more))

    assert ask("list", *BOX).stdout == house.ask("list", *BOX).out
    for more in {"EMCLI_AGENT": "mole"}, {"EMCLI_AGENT": "root"}:
        got = json.loads(ask("list", *BOX, **more).stdout)["error_detail"]
        assert got["code"] == "config" and "this user is no agent" in got["message"]
    assert ask("serve", "status", "--socket", str(house.socket)).returncode != 0


@pytest.mark.parametrize("uid", [0, 61002, 61003, 61004])
def test_an_agent_becomes_nobody_else(house, uid):
    """Guard: the kernel's.  It makes no call at all."""
    done = subprocess.run([*become(A), *become(uid), house.binary, "list", *BOX],
                          capture_output=True, env=house.agent_env())
    assert done.returncode != 0 and done.stdout == b""
    assert b"setpriv" in done.stderr


def test_a_name_in_the_call_is_checked(house):
    """Guard: gate_agent_admit(): a name is one of the user's."""
    for name in "mole", "nobody", " ", "scout\0", "SCOUT ", "unknown", "*", "%", "scout' --":
        s = house.connect(A)
        s.sendall(frame(b"C", {**call(), "agent": name}))
        assert detail(whole(s))["code"] in ("config", "usage"), name


def test_a_server_that_is_the_agent_s_own_is_no_broker(house):
    """For another agent: it trusts neither the folder nor the process.

    Guard: ipc_connect_to(), and ipc_listen_folder() in the broker.  Without: C
    believes A's words, and the broker listens where A can take its place.
    """
    at = house.folder / "squat"
    at.mkdir()
    os.chown(at, A, A)
    words = b'{"error":false,"data":{"messages":["made up"]}}\n'
    fake(at / "emcli.sock", frame(b"R", {"v": 1, "exit": 0, "bytes": len(words), "person": []})
         + frame(b"B", words), uid=A)
    # The folder's owner may be its server: C was told to use A's socket.
    # Nothing of C's goes there: it has no key, and the call is what A
    # could have made up.
    os.chown(at, 0, 0)
    r = house.ask("list", *BOX, uid=C, EMCLI_SOCKET=str(at / "emcli.sock"))
    assert b"made up" not in r.out
    assert r.code == "config" and "neither root's nor" in r.json["error_detail"]["message"]
    # The broker does not listen in a folder of somebody else's, even if it could.
    os.chown(at, A, A)
    os.chmod(at, 0o777)
    p = subprocess.Popen([*become(B), house.binary, "serve", "--foreground", "--socket",
                          str(at / "emcli.sock")], stderr=subprocess.PIPE,
                         env=house.environment(EMCLI_KEY=house.agent_key))
    try:
        _, said = p.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        p.terminate()
        said = b"it serves there"
        p.communicate()
    assert b"must be the broker's user's" in said and p.returncode != 0


def test_operators_commands_stay_the_operator_s(house):
    """All that the help lists, at the broker's store, with a key of one's own.

    Guard: the mode of the database's folder; and, for all that needs a key
    (freeze needs none), the admin key's slot.
    """
    text = house.ask("--help").out.decode()
    text = text.split("Operator commands")[1].split("\n\n")[0]
    commands = [re.split(r"  +| \[", line.strip())[0].split() for line in text.splitlines()[1:]]
    assert len(commands) > 40
    before = {p.name: p.read_bytes() for p in house.db.parent.iterdir() if p.is_file()}
    done = {" ".join(argv) for argv in commands for store in ({"EMCLI_DB": str(house.db)}, {})
            if house.ask(*argv, EMCLI_ADMIN_KEY=random_key(), **store).rc == 0}
    assert done == HARMLESS
    assert {p.name: p.read_bytes() for p in house.db.parent.iterdir() if p.is_file()} == before


# They look at nothing of the store's: skills and units of emcli's, homes of the caller's, and
# health asks whether the broker answers.
HARMLESS = {"key generate", "account providers", "skill list", "skill cost", "home list",
            "serve install", "health", "store roles"}


def random_key():
    return base64.b64encode(os.urandom(32)).decode()


# -- the caller's environment

def planted(house):
    at = house.folder / "planted"
    if not at.exists():
        at.mkdir()
        (at / "emcli-key").write_text(random_key())
        os.chmod(at / "emcli-key", 0o600)
        (at / "file").write_text("x")
        os.chmod(at, 0o755)
        subprocess.run(["chown", "-R", f"{A}:{A}", at], check=True)
    return at


ENVIRONMENT = {
    "EMCLI_DB": "{}/store.db", "EMCLI_KEY_FILE": "{}/emcli-key", "CREDENTIALS_DIRECTORY": "{}",
    "HOME": "{}", "XDG_CONFIG_HOME": "{}", "TMPDIR": "{}", "PATH": "{}:/usr/bin", "LC_ALL": "tr_TR.UTF-8",
    "LANG": "{}", "GCONV_PATH": "{}", "OPENSSL_CONF": "{}/file", "OPENSSL_MODULES": "{}",
    "SSL_CERT_FILE": "{}/file", "SSL_CERT_DIR": "{}", "ALL_PROXY": "http://127.0.0.1:1",
    "https_proxy": "http://127.0.0.1:1", "SSLKEYLOGFILE": "{}/keys", "HOSTALIASES": "{}/file",
    "LD_LIBRARY_PATH": "{}", "NOTIFY_SOCKET": "{}/notify", "LISTEN_FDS": "1",
    "RES_OPTIONS": "attempts:9", "TZ": ":{}/file", "MALLOC_TRACE": "{}/trace",
    "SQLITE_TMPDIR": "{}", "EMCLI_TRACE": "{}/traced", "LD_PRELOAD": "{}/file",
}


@pytest.mark.parametrize("name", ENVIRONMENT)
def test_the_caller_s_environment_is_the_caller_s(house, name):
    """
    Guard: a call has no member for it (serve_request_known()), so the broker's
    processes have the environment that it began with; and where a socket is
    named, the client looks at nothing else (remote_is()).
    """
    at = planted(house)
    before = sorted(p.name for p in at.iterdir())
    value = ENVIRONMENT[name].format(at)
    r = house.ask("list", *BOX, **{name: value})
    assert (r.rc, r.out) == (0, house.ask("list", *BOX).out), str(r)
    assert sorted(p.name for p in at.iterdir()) == before
    for more in {"env": {name: value}}, {name: value}, {"args": {**call()["args"], name: value}}:
        s = house.connect(A)
        s.sendall(frame(b"C", {**call(), **more}))
        got = json.loads(whole(s)[-1][1])
        assert got["error"] and got["error_detail"]["code"] == "usage", got
    seen = 0
    for pid in processes(house):
        with contextlib.suppress(OSError):  # over with the call that it was for
            told = pathlib.Path(f"/proc/{pid}/environ").read_bytes()
            assert f"{name}={value}".encode() not in told
            seen += b"HOME=" in told
    assert seen >= 4


# -- files

def exchange(a, b):
    libc = ctypes.CDLL(None)
    return libc.renameat2(-100, os.fsencode(a), -100, os.fsencode(b), 2)


def test_a_race_of_names_sends_no_other_file(house):
    """A path that is now the agent's file and now another's or a link.

    Guard: attach_is_callers(), and no links.
    """
    mine, x = house.attach / "m.txt", house.attach / "x.txt"
    secret = house.attach / "secret.txt"
    mine.write_text("mine alone")
    os.chown(mine, A, A)
    secret.write_text("text of the broker's")
    os.chown(secret, B, B)
    os.chmod(secret, 0o600)
    since = len(house.site.messages("bob"))
    for target in secret, house.db:
        x.unlink(missing_ok=True)
        x.symlink_to(target) if target == house.db else os.link(secret, x)
        over = threading.Event()

        def race():
            while not over.is_set():
                exchange(mine, x)

        racing = threading.Thread(target=race)
        racing.start()
        try:
            said = [house.ask("send", *TO, "--body", "b", "--attach", "m.txt", cwd=house.attach)
                    for _ in range(12)]
        finally:
            over.set()
            racing.join()
        if mine.is_symlink() or mine.stat().st_uid == B:
            exchange(mine, x)
        assert {r.rc == 0 or r.code in ("policy", "not_found", "usage") for r in said} == {True}
    hidden = base64.b64encode(b"text of the broker's")[:20]
    for m in house.site.messages("bob")[since:]:
        assert b"text of the broker" not in m and hidden not in m and b"SQLite format" not in m


def test_a_mount_of_the_agent_s_own_moves_no_file(house):
    """In its own namespace another file is in that place; in the broker's not.

    Guard: attach_is_callers().
    """
    mine, theirs = house.attach / "mounted.txt", house.attach / "theirs.txt"
    for path, uid in (mine, A), (theirs, B):
        path.write_text("text of " + path.name)
        os.chown(path, uid, uid)
        os.chmod(path, 0o600)
    since = len(house.site.messages("bob"))
    done = subprocess.run(
        [*become(A), *NEW_ROOT, "--mount", "sh", "-c",
         'mount --bind mounted.txt theirs.txt && cat theirs.txt >&2 && exec "$@"', "sh",
         house.binary, "send", *TO, "--body", "b", "--attach", "theirs.txt"],
        cwd=house.attach, env=house.agent_env(), capture_output=True)
    assert b"text of mounted.txt" in done.stderr, done
    got = json.loads(done.stdout)["error_detail"]
    assert (got["code"], got["reason"]) == ("policy", "attach_dir")
    assert house.site.messages("bob")[since:] == []


def test_a_file_that_is_huge_or_grows_ends(house):
    """
    Guard: path_read(): the size that a file has, and the cap while it is read.
    Without: the worker has no memory left, and ends.
    """
    since = len(house.site.messages("bob"))
    sparse, grows = house.attach / "sparse", house.attach / "grows"
    with open(sparse, "wb") as f:
        f.truncate(1 << 40)
    grows.write_bytes(b"x" * 1000)
    for path in sparse, grows:
        os.chown(path, A, A)
    assert house.ask("send", *TO, "--body", "b", "--attach", "sparse", cwd=house.attach).code == "limit"
    over = threading.Event()

    def grow():
        with open(grows, "ab", 0) as f:
            while not over.is_set() and f.tell() < 1 << 26:
                f.write(b"y" * 4096)

    growing = threading.Thread(target=grow)
    growing.start()
    try:
        r = house.ask("send", *TO, "--body", "b", "--attach", "grows", cwd=house.attach)
        assert r.rc == 0 or r.code in ("limit", "policy", "usage", "not_found")
    finally:
        over.set()
        growing.join()
    assert max(map(len, house.site.messages("bob")[since:]), default=0) < 96 << 20
    sparse.unlink()
    grows.unlink()


# -- other agents

def test_another_agent_s_things_are_its_own(house):
    """C's agent "mole", at what is A's "scout": sends, keys, drafts, accounts.

    Guard: rows have their principal.
    """
    key = ("--idempotency-key", "of-scout")
    mine = house.ask("send", *TO, *key, "--body", "scout's").data
    # The key of another agent's send is not known to this one: it sends its own.
    other = house.ask("send", *TO, *key, "--body", "mole's", uid=C)
    assert other.rc != 0 or other.data["id"] != mine["id"]
    mole = [house.ask("send-status", "--id", mine["id"], uid=C),
            house.ask("send-status", "--id", 999999, uid=C)]
    assert mole[0].rc != 0 and mole[0].code == mole[1].code == "not_found"
    assert house.ask("list", "--account", "slow", "--folder", "INBOX", uid=C).code == "not_found"
    lease = house.ask("load-skill", "--account", "work", "email").json
    text = json.dumps(lease)
    for found in re.findall(r'"lease": ?"([^"]+)"', text):
        r = house.ask("unload-skill", "--lease", found, uid=C)
        assert r.rc != 0, str(r)


def test_control_characters_reach_no_operator(house):
    """Guard: out_line() of what is printed, and the escapes of JSON."""
    evil = "\x1b[2J\x1b]0;title\x07\u202e\u2028"
    for argv in (("send", *TO[:4], "--subject", f"s{evil}", "--body", evil),
                 ("list", "--account", f"w{evil}", "--folder", "INBOX"),
                 ("list", "--account", "work", "--folder", f"F{evil}"),
                 ("search", *BOX, "--from", evil)):
        house.ask(*argv)
    for argv in ("audit", "list"), ("audit", "list", "--json"), ("outbox", "list"):
        out = house.admin(*argv).out
        assert not set(b"\x1b\x07") & set(out) and "\u202e".encode() not in out
