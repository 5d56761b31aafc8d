# SPDX-License-Identifier: Apache-2.0
"""Keys that a program prints: EMCLI_KEY_COMMAND and EMCLI_ADMIN_KEY_COMMAND."""
import json
import os
import pathlib
import pty
import pwd
import signal
import sqlite3
import subprocess
import tempfile

import pytest

import cli
import ports
from test_broker import House
from test_gateway import GatewayDesk, good
from test_session import until

FOLDERS = ("folders", "--account", "work")


class Programs:
    """The program of each key, which writes down that it ran and what it was given."""

    def __init__(self, folder, emcli, uid=None):
        self.folder, self.uid = folder, uid
        self.keys = {"agent": emcli.agent_key, "admin": emcli.admin_key}
        self.env = {"EMCLI_KEY_COMMAND": f"{folder}/agent word",
                    "EMCLI_ADMIN_KEY_COMMAND": f"{folder}/admin word"}
        folder.mkdir()
        for name in self.keys:
            self.write(name, "echo $key")

    def write(self, name, text):
        """Its last lines, which have the key in $key."""
        (self.folder / f"{name}.log").touch()
        if self.uid is not None:
            os.chown(self.folder / f"{name}.log", self.uid, self.uid)
        path = self.folder / name
        path.write_text(f"#!/bin/sh\nkey={self.keys[name]}\n"
                        f'(echo "ran $*"; env; id -u; cat) >> {self.folder}/{name}.log\n{text}\n')
        path.chmod(0o755)

    def log(self, name):
        return (self.folder / f"{name}.log").read_text()

    def ran(self):
        """Whose program was run, and how often, since this was asked last."""
        runs = {name: self.log(name).count("ran word\n") for name in self.keys}
        for name in self.keys:
            os.truncate(self.folder / f"{name}.log", 0)
        return {name: n for name, n in runs.items() if n}


@pytest.fixture
def work(emcli, site):
    emcli.account_maildir(site.box("agent"))
    return emcli


@pytest.fixture
def programs(work, tmp_path):
    return Programs(tmp_path / "programs", work)


@pytest.fixture
def call(work, programs):
    """call(*argv, NAME=...): with both commands, and no other key."""
    def run(*argv, stdin=None, **env):
        r = work.call(argv, work.environment(**{**programs.env, **env}), stdin, 60)
        for key in programs.keys.values():
            assert key.encode() not in r.out + r.err
        return r
    return run


# -- when they are run

@pytest.mark.parametrize("argv, status", [
    (["version"], 0), (["help"], 0), (["help", "list"], 0), (["help", "nosuch"], 2),
    (["list", "--help"], 0), (["account", "list", "--help"], 0), (["schema", "list"], 0),
    (["completion", "bash"], 0), (["completion", "accounts"], 0), (["manual", "operations"], 0),
    (["nosuch"], 2), (["freeze"], 0), (["health"], 0), (["key", "generate"], 0), (["serve", "status"], 1),
    (["session", "hook", "claude"], None), (["mcp", "install", "--client", "codex"], 0),
    (["account", "add", "--bogus"], 2)])
def test_what_needs_no_key_asks_for_none(call, programs, argv, status):
    r = call(*argv, EMCLI_SOCKET=None)
    assert status is None or r.rc == status, str(r)
    assert programs.ran() == {}


@pytest.mark.parametrize("argv, ran", [
    (FOLDERS, {"agent": 1}), (["doctor"], {"agent": 1}), (["skill", "list"], {"agent": 1}),
    (["account", "list"], {"admin": 1}), (["key", "rewrap", "--dek"], {"agent": 1, "admin": 1}),
    (["mcp", "install", "--client", "codex", "--write"], {"admin": 1}),
    (["init"], {"agent": 1, "admin": 1})])
def test_a_command_asks_for_the_keys_that_it_uses_once(call, programs, argv, ran):
    r = call(*argv)
    assert r.rc == 0, str(r)
    assert programs.ran() == ran


@pytest.mark.parametrize("argv, name", [(FOLDERS, "EMCLI_KEY_COMMAND"),
                                        (["account", "list"], "EMCLI_ADMIN_KEY_COMMAND")])
def test_it_runs_in_no_folder_of_the_caller_s(work, tmp_path, argv, name):
    """An interpreter looks there for more of its program."""
    (tmp_path / "json").mkdir()
    (tmp_path / "json" / "__init__.py").touch()
    (tmp_path / "json" / "tool.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    r = work.call(argv, work.environment(**{name: "/usr/bin/python3 -m json.tool"}), None, 60,
                  os.path.abspath(work.binary), tmp_path)
    assert r.rc != 0 and b"failed (status" in r.out + r.err, str(r)
    assert not (tmp_path / "ran").exists()


def test_a_freeze_asks_for_the_operators_key_where_a_strangers_is_refused(work, call, programs):
    con = sqlite3.connect(work.db)
    with con:
        con.executemany("INSERT INTO freeze VALUES (?, 0, '', 1)", [(f"f{n}",) for n in range(999)])
    con.close()
    assert call("freeze", "--agent", "last").rc == 0 and programs.ran() == {}
    assert call("freeze", "--agent", "more").rc == 0 and programs.ran() == {"admin": 1}
    rows = work.admin("audit", "list", "--action", "freeze", "--json").json["audit"]
    assert [(r["target"], r["principal"]) for r in rows if r["outcome"] == "ok"] == [
        ("agent=more", "operator"), ("agent=last", "unknown")]
    # Without it, the reason is still told, and all agents can be stopped.
    programs.write("admin", "exit 3")
    r = call("freeze", "--agent", "most")
    assert r.rc == 1 and b"emcli thaw --all" in r.err and b"failed" not in r.err
    assert programs.ran() == {"admin": 1}
    assert call("freeze").rc == 0 and programs.ran() == {}


def test_a_new_database_is_made_with_printed_keys(call, programs, tmp_path):
    db = tmp_path / "new/emcli.db"
    assert call("init", EMCLI_DB=str(db)).rc == 0 and db.exists()
    assert programs.ran() == {"agent": 1, "admin": 1}
    assert call("account", "list", EMCLI_DB=str(db)).rc == 0


def test_an_operators_key_alone_serves_agents_commands(call, programs):
    assert call(*FOLDERS, EMCLI_KEY_COMMAND=None).rc == 0
    assert programs.ran() == {"admin": 1}


def test_no_command_of_agents_asks_for_the_operators_key_beside_theirs(work, call, programs, tmp_path):
    trace = tmp_path / "trace"
    for argv in (FOLDERS, ["doctor"], ["doctor", "--trace"]):
        call(*argv, EMCLI_TRACE=str(trace))
        assert programs.ran() == {"agent": 1} and not trace.exists()
        call(*argv, EMCLI_KEY=work.agent_key, EMCLI_TRACE=str(trace))
        assert programs.ran() == {} and not trace.exists()
    r = call("doctor", "--trace")
    assert r.code == "config" and "unset EMCLI_KEY_COMMAND" in str(r.json["error_detail"])
    checks = call("doctor").data["checks"]
    said = [c["message"] for c in checks if c["check"] == "key.admin"]
    assert len(said) == 1 and "was not run" in said[0], checks
    assert not [c for c in checks if c["check"] == "signed"]
    programs.ran()
    # Alone it is the key of the call, and the operator's.
    r = call("doctor", "--trace", EMCLI_KEY_COMMAND=None)
    assert "trace" in r.data and [c for c in r.data["checks"] if c["check"] == "signed"]
    assert call("account", "list", EMCLI_TRACE=str(trace)).rc == 0 and trace.exists()
    assert programs.ran() == {"admin": 2}


def test_whatever_else_gives_the_key_goes_first(work, call, programs, tmp_path):
    path = tmp_path / "emcli-key"
    path.write_text(work.agent_key)
    path.chmod(0o600)
    key = work.agent_key
    for env in ({"EMCLI_KEY": key}, {"EMCLI_KEY_FILE": str(path)},
                {"CREDENTIALS_DIRECTORY": str(tmp_path)}):
        assert call(*FOLDERS, **env).rc == 0
    # A wrong one is not helped by the program.
    assert call(*FOLDERS, EMCLI_KEY=cli.key()).code == "config"
    assert call(*FOLDERS, EMCLI_KEY_FILE="/nonexistent").code == "config"
    assert programs.ran() == {}


def test_where_a_broker_is_named_nothing_is_asked(call, programs):
    for argv in FOLDERS, ["doctor"], ["mcp"], ["completion", "accounts"]:
        call(*argv, EMCLI_SOCKET="/nonexistent/emcli.sock")
    r = call("account", "list", EMCLI_SOCKET="/nonexistent/emcli.sock",
             EMCLI_ADMIN_KEY_COMMAND=None)
    assert b"requires EMCLI_ADMIN_KEY" in r.err
    assert programs.ran() == {}


def test_an_attempt_at_an_operators_command_is_recorded(work, call, programs):
    r = call("account", "list", EMCLI_ADMIN_KEY_COMMAND=None)
    assert r.rc != 0 and b"requires EMCLI_ADMIN_KEY" in r.err
    assert programs.ran() == {"agent": 1}
    rows = work.admin("audit", "list", "--json").json["audit"]
    assert ("agent", "account.list", "blocked") in [
        (row["principal"], row["action"], row["result"]) for row in rows], rows


def test_a_lost_agents_key_is_replaced_without_its_program(work, call, programs):
    r = work.call(("key", "rotate", "--agent", "--generate"),
                  work.environment(**{**programs.env, "EMCLI_KEY_COMMAND": "/nonexistent/x"}),
                  None, 60)
    assert r.rc == 0, str(r)
    assert programs.ran() == {"admin": 1}
    assert work.run(*FOLDERS, env={"EMCLI_KEY": r.out.decode().strip()}).rc == 0


def test_a_server_of_a_model_asks_at_the_first_need_and_once(work, call, programs):
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
             "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                        "clientInfo": {"name": "claude-code", "version": "1"}}}
    begun = {"jsonrpc": "2.0", "method": "notifications/initialized"}

    def lines(*messages):
        return "".join(json.dumps(m) + "\n" for m in (hello, begun, *messages))

    def doctor(n):
        return {"jsonrpc": "2.0", "id": n, "method": "tools/call",
                "params": {"name": "doctor", "arguments": {}}}

    assert call("mcp", stdin=json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}) + "\n").rc == 0
    assert programs.ran() == {}
    r = call("mcp", "--always", stdin=lines(doctor(2), doctor(3)))
    answers = [json.loads(line) for line in r.out.splitlines()]
    assert [cli.envelope(a["result"])["error"] for a in answers[1:]] == [False, False], str(r)
    # The operator's is no agent's, even of doctor's.
    assert programs.ran() == {"agent": 1}
    # What it could not get, it does not ask for again.
    programs.write("agent", "exit 3")
    r = call("mcp", stdin=lines({**hello, "id": 2}))
    assert r.out.count(b"the program of EMCLI_KEY_COMMAND failed (status 3)") == 2
    assert programs.ran() == {"agent": 1}


# -- what they are given

def test_the_program_has_no_key_no_command_no_input_and_no_log(call, programs):
    programs.write("agent", "echo $key; echo $key >&2")
    programs.write("admin", "echo $key; echo $key >&2")
    for argv in ["doctor"], ["account", "list"]:
        r = call(*argv, stdin="not for it\n", EMCLI_NEW_KEY=cli.key(), GPG_TTY="/dev/pts/9")
        assert r.rc == 0 and r.err == b""
    for name in programs.keys:
        log = programs.log(name)
        assert "ran word\n" in log and "GPG_TTY=/dev/pts/9\n" in log
        assert "EMCLI_DB=" in log and "not for it" not in log
        for variable in "EMCLI_KEY", "EMCLI_ADMIN_KEY", "EMCLI_NEW_KEY":
            assert f"{variable}=" not in log and f"{variable}_COMMAND=" not in log


def test_at_a_terminal_the_program_can_tell_a_person(work, programs):
    programs.write("agent", "echo touch the token >&2; echo $key")
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run([work.binary, *FOLDERS], env=work.environment(**programs.env),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs)
        assert done.returncode == 0 and b"touch the token" not in done.stdout
        assert b"touch the token" in os.read(ours, 4096)
    finally:
        os.close(ours)
        os.close(theirs)


# -- what goes wrong

@pytest.mark.parametrize("text, says", [
    ("echo $key; exit 3", "the program of {} failed (status 3)"),
    ("echo $key; kill -KILL $$", "the program of {} failed (signal 9)"),
    ("true", "the program of {} printed no secret"),
    ("echo; echo $key", "the program of {} printed no secret"),
    ("echo key: $key", "the program of {} printed no key"),
    ("echo zebra", "the program of {} printed no key"),
    (r"printf '%s\0\n' $key", "the program of {} printed no key"),
    ("yes | tr -d '\\n' | head -c 20000", "the program of {} printed no secret")])
def test_what_fails_is_told_once_and_shows_nothing(call, programs, text, says):
    for name in programs.keys:
        programs.write(name, text)
    r = call(*FOLDERS)
    assert r.code == "config"
    said = r.json["error_detail"]["message"]
    assert said.startswith(says.format("EMCLI_KEY_COMMAND"))
    assert r.out.count(b"EMCLI_KEY_COMMAND") == 1 and b"zebra" not in r.out and r.err == b""
    assert programs.ran() == {"agent": 1}
    # The agents' key is not asked for to note a wrong key of the operator's.
    r = call("account", "list")
    assert r.rc == 1 and r.err.decode().startswith("emcli: " + says.format("EMCLI_ADMIN_KEY_COMMAND"))
    assert b"next: " in r.err and r.err.count(b"EMCLI_ADMIN_KEY_COMMAND") == 1
    assert programs.ran() == {"admin": 1}


def test_a_program_that_cannot_be_run(call, programs):
    plain = programs.folder / "plain"
    plain.touch(0o600)
    for line in str(plain), "/nonexistent/program", "   ", "x" * 5000:
        r = call(*FOLDERS, EMCLI_KEY_COMMAND=line)
        assert r.code == "config"
        said = r.json["error_detail"]["message"]
        assert "EMCLI_KEY_COMMAND" in said and str(plain) not in said


def test_a_process_that_it_leaves_behind_delays_nothing(call, programs, tmp_path):
    programs.write("agent", f"sleep 600 & echo $! > {tmp_path}/pid; echo $key")
    try:
        assert call(*FOLDERS).rc == 0
    finally:
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_root_runs_no_program_that_others_could_have_put_there(call, programs):
    r = call(*FOLDERS, EMCLI_KEY_COMMAND="agent word", PATH=f"{programs.folder}:/usr/bin:/bin")
    assert r.code == "config" and "whole path" in r.json["error_detail"]["message"]
    (programs.folder / "agent").chmod(0o777)
    for line in programs.env["EMCLI_KEY_COMMAND"], f"/bin/sh {programs.folder}/agent word":
        r = call(*FOLDERS, EMCLI_KEY_COMMAND=line)
        assert r.code == "config" and "others than root" in r.json["error_detail"]["message"]
        assert str(programs.folder) not in r.out.decode() and programs.ran() == {}
    r = call(*FOLDERS, EMCLI_KEY_COMMAND="/bin/sh ../agent word")
    assert r.code == "config" and "from wherever" in r.json["error_detail"]["message"]


# -- a broker, and a gateway

@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_the_operators_program_is_roots_on_anothers_database():
    with tempfile.TemporaryDirectory(prefix="emcli-broker-") as folder:
        os.chmod(folder, 0o755)
        h = House(folder, pwd.getpwnam("nobody").pw_uid)
        h.init()
        programs = Programs(pathlib.Path(folder, "programs"), h)
        r = subprocess.run([h.binary, "agent", "list"], env=h.environment(**programs.env),
                           capture_output=True)
        assert r.returncode == 0, r
        assert "\n0\n" in programs.log("admin") and programs.ran() == {"admin": 1}


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_a_broker_runs_a_trusted_program_once_as_its_user():
    with tempfile.TemporaryDirectory(prefix="emcli-broker-") as folder:
        os.chmod(folder, 0o755)
        h = House(folder, pwd.getpwnam("nobody").pw_uid)
        h.init()
        programs = Programs(pathlib.Path(folder, "programs"), h, h.uid)
        os.chmod(programs.folder, 0o755)
        path = f"{programs.folder}:/usr/bin:/bin"

        def serve(**more):
            return subprocess.run(
                [h.binary, "serve", "--user", "nobody", "--socket", str(h.socket)],
                env=h.environment(**{"EMCLI_KEY_COMMAND": programs.env["EMCLI_KEY_COMMAND"],
                                     "PATH": path, **more}),
                capture_output=True, cwd=programs.folder)

        def refused(says, **more):
            r = serve(**more)
            if r.returncode == 0:
                os.kill(h.status().json["pid"], signal.SIGTERM)
            assert r.returncode != 0 and r.stderr.count(says) == 1, r

        refused(b"unset EMCLI_ADMIN_KEY_COMMAND",
                EMCLI_ADMIN_KEY_COMMAND=programs.env["EMCLI_ADMIN_KEY_COMMAND"])
        for line in "agent word", "./agent word":
            refused(b"whole path of its program", EMCLI_KEY_COMMAND=line)
        agent = programs.folder / "agent"
        agent.chmod(0o775)
        refused(b"others than root")
        agent.chmod(0o755)
        # Not even its own user: a worker that was taken over is of that user.
        for at in agent, programs.folder:
            os.chown(at, h.uid, h.uid)
            for line in f"{agent} word", f"/bin/sh {agent} word":
                refused(b"others than root", EMCLI_KEY_COMMAND=line)
            os.chown(at, 0, 0)
        refused(b"a path from wherever", EMCLI_KEY_COMMAND="/bin/sh ./agent word")
        assert programs.ran() == {}
        programs.write("agent", "exit 3")
        refused(b"the program of EMCLI_KEY_COMMAND failed (status 3)")
        assert programs.ran() == {"agent": 1}
        programs.write("agent", "echo $key")
        r = serve()
        assert r.returncode == 0, r
        pid = h.status().json["pid"]
        try:
            assert f"\n{h.uid}\n" in programs.log("agent")
            assert "HOME=/root\n" not in programs.log("agent")
            assert h.ask("list-skills").code == "config"
            assert programs.ran() == {"agent": 1}
        finally:
            os.kill(pid, signal.SIGTERM)
        until(lambda: not ports.alive(pid))


@pytest.fixture
def desk(tmp_path):
    d = GatewayDesk(tmp_path)
    yield d
    d.end()


def test_a_gateway_has_the_agents_key_of_a_program(desk, tmp_path):
    programs = Programs(tmp_path / "programs", desk.emcli)
    home = desk.home("writer")
    desk.env.update({**programs.env, "EMCLI_KEY": None, "EMCLI_ADMIN_KEY": None})
    got = desk.start(home)
    assert programs.ran() == {"agent": 1, "admin": 1}
    for _ in range(3):
        good(got, "status")
    assert programs.ran() == {}
    # Without a gateway nobody uses the agents' key.
    desk.good("session", "stop", got["session_id"])
    programs.ran()
    assert desk.start(desk.home("other"), "--no-gateway")["gateway"] is None
    assert programs.ran() == {"admin": 1}


def test_a_gateway_may_have_the_operators_key_of_a_program(desk, tmp_path):
    programs = Programs(tmp_path / "programs", desk.emcli)
    home = desk.home("writer")
    desk.env.update({**programs.env, "EMCLI_KEY_COMMAND": None, "EMCLI_KEY": None,
                     "EMCLI_ADMIN_KEY": None})
    got = desk.start(home)
    assert programs.ran() == {"admin": 1}
    for _ in range(3):
        good(got, "status")
    assert programs.ran() == {}


def test_a_gateway_that_gets_no_key_is_not_started(desk, tmp_path):
    programs = Programs(tmp_path / "programs", desk.emcli)
    home = desk.home("writer")
    programs.write("agent", "exit 3")
    desk.env.update({**programs.env, "EMCLI_KEY": None, "EMCLI_ADMIN_KEY": None})
    r = desk.call("session", "start", "--home", home, "--workdir", str(desk.work), "--detach")
    assert r.rc != 0 and r.err.count(b"the program of EMCLI_KEY_COMMAND failed (status 3)") == 1
    assert programs.ran() == {"agent": 1, "admin": 1}
    assert desk.sessions() == [] and desk.accounts() == []


def test_nobody_waits_for_the_key_of_a_gateway(desk, tmp_path):
    programs = Programs(tmp_path / "programs", desk.emcli)
    home, going = desk.home("writer"), desk.start(desk.home("ci"), "--no-gateway")
    go = tmp_path / "go"
    programs.write("agent", f"while [ ! -e {go} ]; do sleep 0.05; done; echo $key")
    desk.env.update({**programs.env, "EMCLI_KEY": None, "EMCLI_ADMIN_KEY": None})
    for argv in (["start", "--home", home, "--workdir", str(desk.work), "--detach"],
                 ["resume", going["session_id"]]):
        go.unlink(missing_ok=True)
        desk.good("session", "stop", going["session_id"])
        programs.ran()
        env = desk.emcli.environment(**desk.env)
        p = subprocess.Popen([desk.emcli.binary, "session", *argv], env=env, stdout=subprocess.DEVNULL)
        try:
            until(lambda: "ran word\n" in programs.log("agent"))
            # Each of these takes the lock of the folder of sessions.
            assert desk.call("session", "stop", going["session_id"]).rc == 0
        finally:
            go.touch()
        assert p.wait(60) == 0
        assert programs.ran()["agent"] == 1
