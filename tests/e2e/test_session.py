# SPDX-License-Identifier: Apache-2.0
"""emcli session start, list, show, stop, resume: a program with a home and a mailbox, what is in
its environment, and what is left of a start that failed or was killed."""

import contextlib
import json
import os
import pathlib
import pty
import signal
import sqlite3
import stat
import subprocess
import time

import pytest

import cli
import ports

# It tells what it was given and what was there, in one piece, and waits; TERM ends it.
PROGRAM = """#!/usr/bin/python3
import json, os, signal, sys, time
try:
    box = json.load(open(os.environ["HOUMAO_MANIFEST_PATH"]))["launch_plan"]["mailbox"]
    box = [box["bindings_version"], sorted(os.listdir(box["mailbox_path"]))]
except (KeyError, TypeError, OSError) as e:
    box = repr(e)
seen = {"argv": sys.argv, "env": dict(os.environ), "cwd": os.getcwd(), "pid": os.getpid(), "box": box,
        "sid": os.getsid(0), "fds": sorted(os.listdir("/proc/self/fd"))[:4]}
print("started", flush=True)
with open("seen.new", "w") as f:
    json.dump(seen, f)
os.rename("seen.new", "seen.json")
while True:
    time.sleep(60)
"""
MAILBOX = ["--mailbox-transport", "filesystem", "--mailbox-root", "team-mail"]


def until(what, seconds=60):
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


class Desk:
    gateway = False  # what a session has besides: test_gateway.py

    def __init__(self, folder):
        self.folder = folder
        self.emcli = cli.Emcli(folder / "emcli")
        self.emcli.init()
        self.root = folder / "rt"
        self.work = folder / "work"
        self.work.mkdir()
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.program(PROGRAM)
        # A server of tmux of this test's own, which ends with its last session.
        self.env = {"PATH": f"{self.bin}:/usr/bin:/bin", "TMUX_TMPDIR": str(folder),
                    "HOUMAO_GLOBAL_RUNTIME_DIR": str(self.root),
                    "CREDENTIALS_DIRECTORY": "/nowhere",
                    "HOUMAO_STALWART_MANAGEMENT_BEARER_TOKEN": "PLANTED-4711",
                    "HOUMAO_MAILBOX_FS_ROOT": "/old"}

    def program(self, text, name="claude"):
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    def call(self, *argv, **env):
        return self.emcli.admin(*argv, env={**self.env, **env})

    def good(self, *argv):
        r = self.call(*argv[:2], "--json", *argv[2:])
        assert r.rc == 0, str(r)
        return r.json

    def home(self, agent, *mailbox):
        return self.good("home", "build", "--tool", "claude", "--agent", agent,
                         *(mailbox or MAILBOX))["home_id"]

    def start(self, home, *argv, way="--detach"):
        return self.good("session", "start", "--home", home, "--workdir", str(self.work),
                         *([way] if way else []), *([] if self.gateway else ["--no-gateway"]),
                         *argv)

    def tmux(self, *argv):
        return subprocess.run(["tmux", *argv], env={"TMUX_TMPDIR": str(self.folder)}, timeout=60,
                              capture_output=True, text=True)

    @contextlib.contextmanager
    def person(self, name):
        """Somebody in that session of tmux, who has just come."""
        pid, fd = pty.fork()
        if pid == 0:
            os.environ.update(TERM="xterm", TMUX_TMPDIR=str(self.folder))
            os.execvp("tmux", ["tmux", "attach", "-t", "=" + name])
        try:
            until(lambda: self.tmux("list-clients").stdout)
            yield fd
        finally:
            os.kill(pid, signal.SIGKILL)
            os.close(fd)
            os.waitpid(pid, 0)

    def sessions(self):
        return self.good("session", "list")["sessions"]

    def accounts(self):
        return [a["name"] for a in self.good("account", "list")["accounts"]]

    def registered(self):
        with sqlite3.connect(self.root / "team-mail/index.sqlite") as db:
            rows = db.execute("SELECT address FROM mailbox_registrations WHERE status = 'active'"
                              " AND address NOT LIKE 'HOUMAO-%' ORDER BY address").fetchall()
        return [r[0] for r in rows]

    def seen(self):
        until((self.work / "seen.json").exists)
        got = json.loads((self.work / "seen.json").read_text())
        (self.work / "seen.json").unlink()
        return got

    def end(self):
        """Nothing that a test started lives on."""
        for path in [*self.root.glob("sessions/*/*/session.json"),
                     *self.root.glob("sessions/*/*/gateway/run/emcli.json")]:
            state = json.loads(path.read_text())
            if state["pid"]:
                try:
                    os.kill(state["pid"], signal.SIGKILL)
                except ProcessLookupError:
                    pass
        self.tmux("kill-server")


@pytest.fixture
def desk(tmp_path):
    d = Desk(tmp_path)
    yield d
    d.end()


def test_a_session_has_its_program_its_mailbox_and_its_account(desk):
    home = desk.home("writer")
    got = desk.start(home)
    seen = desk.seen()
    assert seen["pid"] == got["pid"] == seen["sid"] and ports.alive(got["pid"])
    assert seen["cwd"] == str(desk.work)
    assert seen["env"]["CLAUDE_CONFIG_DIR"] == str(desk.root / "homes" / home)
    assert seen["env"]["HOUMAO_MANIFEST_PATH"] == got["manifest_path"]
    assert seen["env"]["HOUMAO_AGENT_ID"] == got["agent_id"]
    # Mailbox and manifest were there before the program was.
    assert seen["box"] == [got["mailbox"]["bindings_version"],
                           ["archive", "drafts", "inbox", "mailbox.sqlite", "sent"]]
    assert got["state"] == "running" and got["generation"] == 1
    assert got["mailbox"]["address"] == "writer@houmao.localhost"
    assert got["mailbox"]["filesystem_root"] == str(desk.root / "team-mail")
    assert desk.registered() == ["writer@houmao.localhost"]
    assert desk.accounts() == [got["account"]] == ["HOUMAO-writer"]
    manifest = json.loads(pathlib.Path(got["manifest_path"]).read_text())
    assert manifest["schema_version"] == 4
    assert manifest["launch_plan"]["mailbox"]["address"] == "writer@houmao.localhost"
    assert [s["session_id"] for s in desk.sessions()] == [got["session_id"]]
    assert desk.good("session", "show", got["session_id"]) == got
    assert desk.good("session", "show", "--agent-name", "writer") == got
    log = pathlib.Path(got["session_root"], "log/output.log")
    assert log.read_text() == "started\n"


def test_options_go_before_the_declaration(desk):
    """And the root that was declared is not touched; two agents share the one that was given."""
    given = desk.folder / "given"
    first = desk.start(desk.home("writer"), "--mailbox-root", str(given),
                       "--mailbox-principal-id", "HOUMAO-poet", "--mailbox-address",
                       "poet@agents.example.test")
    second = desk.start(desk.home("ci", "--mailbox-transport", "none"),
                        "--mailbox-transport", "filesystem", "--mailbox-root", str(given))
    assert [s["mailbox"]["filesystem_root"] for s in (first, second)] == [str(given)] * 2
    assert (first["mailbox"]["principal_id"], first["mailbox"]["address"]) == (
        "HOUMAO-poet", "poet@agents.example.test")
    rows = desk.good("mailbox", "accounts", "--root", given)["accounts"]
    assert {r["address"] for r in rows if r["status"] == "active"} == {
        "poet@agents.example.test", "ci@houmao.localhost", "HOUMAO-operator@houmao.localhost"}
    assert not (desk.root / "team-mail").exists()
    third = desk.start(desk.home("third"), "--mailbox-transport", "none")
    assert third["mailbox"] is None


def test_the_account_may_write_and_organise_and_sees_every_sender(desk):
    name = desk.start(desk.home("writer"))["account"]
    show = desk.good("account", "show", name)
    assert (show["backend"], show["mode"], show["organise"]) == ("agentbox", "RW", "on")
    assert show["whitelist_in"] is False and show["path"] == str(desk.root / "team-mail")
    assert show["attach_dir"] == str(desk.work)


def test_files_may_come_from_several_folders_and_no_other(desk):
    """The session's account has them; the operator's edit names others."""
    for d in ("plans", "data", "else"):
        (desk.folder / d).mkdir()
        (desk.folder / d / f"{d}.txt").write_text(d)
    plans, data, other = (str(desk.folder / d) for d in ("plans", "data", "else"))
    got = desk.start(desk.home("writer"), "--attach-dir", plans, "--attach-dir", data)
    name = got["account"]
    assert desk.good("account", "show", name)["attach_dir"] == f"{plans}/:{data}/"

    def sent():
        return [desk.call("agents", "mail", "send", "--manifest-path", got["manifest_path"],
                          "--to", got["mailbox"]["address"], "--subject", "s",
                          "--body-content", "b", "--attach", str(desk.folder / d / f"{d}.txt")
                          ).rc == 0 for d in ("plans", "data", "else")]

    assert sent() == [True, True, False]
    desk.good("account", "edit", name, "--attach-dir", plans, "--attach-dir", other)
    assert sent() == [True, False, True]
    report = desk.call("doctor", "--account", name, "--json").json["data"]["checks"]
    assert [c["ok"] for c in report if c["check"] == "attach_dir"] == [True, True]


def test_no_key_reaches_the_program_or_a_file(desk):
    got = desk.start(desk.home("writer"), "--", "--model", "x y", "$HOME;id")
    seen = desk.seen()
    assert seen["argv"][1:] == ["--model", "x y", "$HOME;id"]
    secrets = [desk.emcli.agent_key, desk.emcli.admin_key, "PLANTED-4711"]
    pid = got["pid"]
    raw = [pathlib.Path(f"/proc/{pid}/{f}").read_bytes() for f in ("environ", "cmdline")]
    raw += [p.read_bytes() for p in desk.root.rglob("*") if p.is_file()]
    for word in secrets:
        assert not [r for r in raw if word.encode() in r], "a secret got out"
    names = set(seen["env"])
    assert not [n for n in names if n.startswith(("EMCLI", "HOUMAO_MAILBOX_", "HOUMAO_STALWART"))]
    assert "CREDENTIALS_DIRECTORY" not in names
    for p in [pathlib.Path(got["session_root"]), *pathlib.Path(got["session_root"]).rglob("*")]:
        want = 0o700 if p.is_dir() else 0o600
        assert stat.S_IMODE(p.stat().st_mode) == want, p


def test_stop_ends_it_and_resume_finds_the_same_mailbox(desk):
    first = desk.start(desk.home("writer"))
    desk.seen()
    stopped = desk.good("session", "stop", first["session_id"])
    assert stopped["state"] == "stopped" and stopped["pid"] is None
    assert not ports.alive(first["pid"])
    assert desk.registered() == ["writer@houmao.localhost"]
    # The manifest alone decides, whatever the caller's environment says by now.
    desk.env["HOUMAO_GLOBAL_MAILBOX_DIR"] = str(desk.folder / "other")
    again = desk.good("session", "resume", first["session_id"])
    assert desk.seen()["pid"] == again["pid"] and ports.alive(again["pid"])
    assert again["mailbox"] == first["mailbox"] and again["account"] == first["account"]
    assert again["generation"] == 2
    assert desk.accounts() == [first["account"]]
    twice = desk.call("session", "resume", first["session_id"], "--json")
    assert twice.rc == 0 and b"runs already" in twice.err
    assert twice.json == again


def test_a_program_that_ended_is_told_from_one_that_was_stopped(desk):
    got = desk.start(desk.home("writer"))
    desk.seen()
    os.kill(got["pid"], signal.SIGKILL)
    until(lambda: not ports.alive(got["pid"]))
    [s] = desk.sessions()
    assert s["state"] == "ended" and s["pid"] is None


def test_resume_wants_the_registration_of_the_manifest(desk):
    got = desk.start(desk.home("writer"))
    desk.good("session", "stop", got["session_id"])
    with sqlite3.connect(desk.root / "team-mail/index.sqlite") as db:
        db.execute("UPDATE mailbox_registrations SET owner_principal_id = 'HOUMAO-other'"
                   " WHERE address LIKE 'writer@%'")
    r = desk.call("session", "resume", got["session_id"])
    assert r.rc != 0 and b"another principal" in r.err
    assert desk.sessions()[0]["state"] == "stopped"


def test_a_home_without_a_mailbox_starts_without_one(desk):
    got = desk.start(desk.home("writer", "--mailbox-transport", "none"))
    assert got["mailbox"] is None and got["account"] is None
    assert desk.accounts() == [] and not (desk.root / "team-mail").exists()


def refused(desk, part, *argv, way="--detach"):
    before = desk.accounts()
    r = desk.call("session", "start", *argv, *([] if way is None else [way]))
    assert r.rc != 0 and part.encode() in r.err, str(r)
    assert desk.sessions() == [] and desk.accounts() == before
    assert not list(desk.root.glob("sessions/*/*"))


def test_what_cannot_be_started_leaves_nothing(desk):
    home = desk.home("writer")
    refused(desk, "there is no such home", "--home", "nothing")
    refused(desk, "--workdir", "--home", home, "--workdir", "/nowhere/at/all")
    refused(desk, "--mailbox-address", "--home", home, "--mailbox-address", "a b")
    (desk.bin / "claude").unlink()
    refused(desk, "there is no program claude", "--home", home)
    assert not (desk.root / "team-mail").exists()


def test_a_program_that_cannot_be_executed_undoes_its_start(desk):
    home = desk.home("writer")
    desk.program("#!/nowhere/at/all\n")
    refused(desk, "cannot be executed", "--home", home)
    assert desk.registered() == []
    # And the same home starts when the program is mended.
    desk.program(PROGRAM)
    assert desk.start(home)["state"] == "running"
    assert desk.registered() == ["writer@houmao.localhost"]


def test_an_address_of_somebody_else_undoes_the_start(desk):
    kept = desk.start(desk.home("writer"))
    home = desk.home("thief")
    r = desk.call("session", "start", "--home", home, "--mailbox-address",
                  "writer@houmao.localhost")
    assert r.rc != 0, str(r)
    assert [s["session_id"] for s in desk.sessions()] == [kept["session_id"]]
    assert desk.accounts() == [kept["account"]]
    assert desk.registered() == ["writer@houmao.localhost"]


STEPS = ["mailbox", "account", "manifest", "launch"]


@pytest.mark.parametrize("step", STEPS)
def test_a_start_that_was_killed_is_undone_by_the_next_command(desk, step):
    """As it is on disk when the process is gone: the step that was being done."""
    got = desk.start(desk.home("writer"))
    os.kill(got["pid"], signal.SIGKILL)
    path = pathlib.Path(got["session_root"], "session.json")
    state = json.loads(path.read_text())
    at = STEPS.index(step)
    state.update(step=step, pid=0, started=0, generation=0, account_new=at >= 1)
    assert state["registered_new"] is True
    path.write_text(json.dumps(state))
    r = desk.call("session", "list", "--json")
    assert r.rc == 0 and r.json == {"sessions": []} and b"is undone" in r.err
    assert not list(desk.root.glob("sessions/*/*")) and desk.registered() == []
    assert desk.accounts() == ([] if at >= 1 else [got["account"]])


@pytest.mark.parametrize("way", ["--detach", "--tmux"])
def test_a_start_killed_at_any_moment_is_whole_or_nothing(desk, way):
    home = desk.home("writer")
    env = desk.emcli.environment(EMCLI_KEY=desk.emcli.agent_key,
                                 EMCLI_ADMIN_KEY=desk.emcli.admin_key, **desk.env)
    for ms in range(0, 200, 20):
        p = subprocess.Popen([desk.emcli.binary, "session", "start", "--home", home,
                              "--workdir", str(desk.work), way], env=env,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(ms / 1000)
        p.kill()
        p.wait()
        left = desk.sessions()
        assert desk.accounts() == (["HOUMAO-writer"] if left else [])
        for s in left:
            assert s["mailbox"]["address"] == "writer@houmao.localhost"
            assert s["state"] in ("running", "ended", "stopped")
            desk.good("session", "stop", s["session_id"])
        until(lambda: desk.tmux("list-sessions").stdout == "")
    assert desk.start(home, way=way)["state"] == "running"
    assert desk.registered() == ["writer@houmao.localhost"]


# -- in tmux, and in the foreground


def test_a_session_in_tmux_is_started_stopped_and_resumed_there(desk):
    """The server was started by somebody with emcli's keys in the environment."""
    subprocess.run(["tmux", "new-session", "-d", "-s", "theirs", "sleep", "600"], check=True,
                   env={"TMUX_TMPDIR": str(desk.folder), "EMCLI_ADMIN_KEY": desk.emcli.admin_key,
                        "PATH": "/usr/bin:/bin"})
    got = desk.start(desk.home("wri.ter"), "--", "x y", "$HOME;id", way=None)
    seen = desk.seen()
    name = got["tmux_session_name"]
    assert name == "HOUMAO-wri_ter-" + got["session_id"][-8:]
    assert got["session_id"].startswith("local_interactive-2")
    assert pathlib.Path(got["session_root"]).parent == desk.root / "sessions/local_interactive"
    assert seen["pid"] == got["pid"] and seen["cwd"] == str(desk.work)
    assert seen["argv"][1:] == ["x y", "$HOME;id"]
    assert seen["env"]["HOUMAO_MANIFEST_PATH"] == got["manifest_path"]
    assert seen["env"]["TMUX_PANE"] and seen["env"]["TERM"]
    # As emcli gave it, and not as the server has it.
    assert seen["env"]["PATH"] == desk.env["PATH"]
    assert not [n for n in seen["env"] if n.startswith(("EMCLI", "HOUMAO_MAIL", "HOUMAO_STAL"))]
    for var, want in ("HOUMAO_MANIFEST_PATH", "manifest_path"), ("HOUMAO_AGENT_ID", "agent_id"):
        assert desk.tmux("show-environment", "-t", f"={name}", var).stdout == \
            f"{var}={got[want]}\n"
    assert desk.tmux("capture-pane", "-p", "-t", f"={name}:").stdout.startswith("started\n")
    manifest = json.loads(pathlib.Path(got["manifest_path"]).read_text())
    assert manifest["backend"] == manifest["launch_plan"]["backend"] == "local_interactive"
    assert manifest["tmux"] == {"session_name": name} and manifest["tmux_session_name"] == name
    assert desk.good("session", "show", got["session_id"]) == got
    left = [p for p in pathlib.Path(got["session_root"]).rglob("*") if not p.is_dir()]
    assert {p.name for p in left} == {"manifest.json", "manifest.lock", "session.json"}
    desk.good("session", "stop", got["session_id"])
    assert not ports.alive(got["pid"])
    assert desk.tmux("list-sessions", "-F", "#{session_name}").stdout == "theirs\n"
    again = desk.good("session", "resume", got["session_id"])
    assert again["tmux_session_name"] == name and desk.seen()["pid"] == again["pid"]
    assert desk.tmux("has-session", "-t", f"={name}").returncode == 0


def test_another_session_of_that_name_is_left_alone(desk):
    got = desk.start(desk.home("writer"), way="--tmux")
    desk.good("session", "stop", got["session_id"])
    name = got["tmux_session_name"]
    desk.tmux("new-session", "-d", "-s", name, "sleep", "600")
    r = desk.call("session", "resume", got["session_id"])
    assert r.rc == 1 and b"tmux cannot start a session" in r.err, str(r)
    r = desk.call("session", "resume", got["session_id"], "--foreground")
    assert r.rc == 1 and b"one of tmux" in r.err, str(r)
    assert desk.sessions()[0]["state"] == "stopped"
    desk.good("session", "stop", got["session_id"])
    assert desk.tmux("has-session", "-t", f"={name}").returncode == 0


def test_a_program_that_cannot_be_executed_leaves_nothing_in_tmux(desk):
    home = desk.home("writer")
    desk.program("#!/nowhere/at/all\n")
    refused(desk, "cannot be executed", "--home", home, way="--tmux")
    assert desk.registered() == []
    until(lambda: desk.tmux("list-sessions").stdout == "")


def test_a_killed_start_takes_its_session_in_tmux_with_it(desk):
    """As it is when the command was killed after tmux began and before that was written."""
    got = desk.start(desk.home("writer"), way="--tmux")
    path = pathlib.Path(got["session_root"], "session.json")
    state = json.loads(path.read_text())
    state.update(step="launch", pid=0, started=0, generation=0)
    path.write_text(json.dumps(state))
    r = desk.call("session", "list", "--json")
    assert r.json == {"sessions": []} and b"is undone" in r.err
    until(lambda: not ports.alive(got["pid"]) and desk.tmux("list-sessions").stdout == "")


def test_in_the_foreground_the_command_becomes_the_program(desk):
    home = desk.home("writer")
    env = desk.emcli.environment(EMCLI_KEY=desk.emcli.agent_key,
                                 EMCLI_ADMIN_KEY=desk.emcli.admin_key, **desk.env)
    p = subprocess.Popen([desk.emcli.binary, "session", "start", "--home", home, "--workdir",
                          str(desk.work), "--foreground", "--", "x"], env=env,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    seen = desk.seen()
    assert seen["pid"] == p.pid and seen["cwd"] == str(desk.work) and seen["argv"][1:] == ["x"]
    assert not [n for n in seen["env"] if n.startswith(("EMCLI", "HOUMAO_MAIL", "HOUMAO_STAL"))]
    [s] = desk.sessions()
    assert s["pid"] == p.pid and s["state"] == "running" and s["tmux_session_name"] is None
    audit = desk.good("audit", "list")["audit"]
    [row] = [r for r in audit if r["action"] == "session.start"]
    assert row["outcome"] == "ok", row
    argv = ["session", "resume", s["session_id"], "--foreground"]
    assert b"runs already" in desk.call(*argv).err
    desk.good("session", "stop", s["session_id"])
    assert p.communicate(timeout=60)[0] == b"started\n" and p.returncode == -signal.SIGTERM
    # So does a resume, as a service does after a restart.
    p = subprocess.Popen([desk.emcli.binary, *argv], env=env, stdout=subprocess.PIPE)
    assert desk.seen()["pid"] == p.pid
    [s] = desk.sessions()
    assert s["pid"] == p.pid and s["state"] == "running" and s["generation"] == 2
    desk.good("session", "stop", s["session_id"])
    assert p.communicate(timeout=60)[0] == b"started\n" and p.returncode == -signal.SIGTERM


def test_ways_exclude_each_other_and_tmux_must_be_there(desk):
    home = desk.home("writer")
    refused(desk, "exclude each other", "--home", home, "--tmux", "--foreground")
    for tool in "python3", "sh":
        (desk.bin / tool).symlink_to(f"/usr/bin/{tool}")
    desk.env["PATH"] = str(desk.bin)
    refused(desk, "tmux is not installed", "--home", home, way="--tmux")
    got = desk.start(home, way=None)
    assert got["tmux_session_name"] is None and desk.seen()["pid"] == got["pid"]


def test_a_hook_says_what_the_agent_does(desk):
    got = desk.start(desk.home("writer"))
    path = pathlib.Path(got["session_root"], "activity.json")

    def hook(*argv, manifest=got["manifest_path"]):
        env = desk.emcli.environment(HOUMAO_MANIFEST_PATH=manifest)
        return subprocess.run([desk.emcli.binary, "session", "hook", *argv], env=env, timeout=60,
                              capture_output=True, stdin=subprocess.DEVNULL)
    for state in "busy", "idle":
        r = hook(state, '{"type": "agent-turn-complete"}')
        assert (r.returncode, r.stdout, r.stderr) == (0, b"", b"")
        assert json.loads(path.read_text())["state"] == state
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    other = desk.folder / "manifest.json"
    other.write_text("{}")
    for bad in "", "manifest.json", str(other), "/nowhere/manifest.json", got["session_root"]:
        r = hook("busy", manifest=bad)
        assert r.returncode == 1 and r.stdout == b"" and b"HOUMAO_MANIFEST_PATH" in r.stderr
    assert json.loads(path.read_text())["state"] == "idle"
    assert not (desk.folder / "activity.json").exists()
    # The next program has said nothing yet.
    desk.good("session", "stop", got["session_id"])
    desk.good("session", "resume", got["session_id"])
    assert not path.exists()
