# SPDX-License-Identifier: Apache-2.0
"""
The attack table's rows about files: an agent with a shell names files that are
not its own to send, and writes to what the broker executes or trusts.

Each says what guards it.
"""

import json
import os
import pathlib
import select
import shutil
import socket
import stat
import subprocess

import pytest

from test_broker import (A, B, BOX, C, TO, become, call, detail, frame, fake, house, until, whole)
from test_broker_attacks import NEW_ROOT, processes
from test_broker_pipes import opened

assert house  # a fixture: a house of this module's own
HERE = pathlib.Path(__file__).parent


def owned(path, text, uid, mode=0o600):
    path.write_text(text)
    os.chown(path, uid, uid)
    os.chmod(path, mode)
    return path


def sending(*names, **args):
    """A frame that sends files of these names."""
    return frame(b"C", {
        "v": 1, "op": "send",
        "args": {"account": "work", "to": ["bob@lab.example"], "subject": "s", "body": "b",
                 "attach": list(names), **args},
        "files": [{"arg": "attach", "at": i} for i in range(len(names))]})


# -- files that are sent

@pytest.fixture
def silent(house):
    """Starts filesystems of the agent's own that answer no more, and their clients."""
    device, at = house.folder / "device", house.folder / "mount"
    script = house.folder / "fuse.py"
    script.write_bytes((HERE / "fuse.py").read_bytes())
    os.mknod(device, stat.S_IFCHR, os.makedev(10, 229))
    os.chmod(device, 0o666)
    at.mkdir()
    os.chown(at, A, A)
    owned(house.attach / "mine", "text", A)
    started = []

    def start():
        p = subprocess.Popen(
            [*become(A), *NEW_ROOT, "--mount", "/usr/bin/python3", script, device, at,
             house.socket, sending("mine").hex()],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        started.append(p)
        return p

    yield start
    for p in started:
        p.stdin.close()
        p.wait()
        p.stdout.close()


def test_a_filesystem_that_never_answers_keeps_its_user_s_calls_alone(house, silent):
    """Guard: the answer comes before the kernel asks it, and a user's cap."""
    started = [silent() for _ in range(3)]
    for p in started:
        said = b""
        while b'"usage"' not in said:
            assert select.select([p.stdout], [], [], 60)[0], "no answer came"
            more = os.read(p.stdout.fileno(), 65536)
            assert more, said
            said += more
    # Their workers wait with the kernel; whoever is another has one.
    assert house.status().json["calls"] == 3
    assert house.ask("list", *BOX, uid=C).rc == 0
    for p in started:
        p.stdin.close()
    until(lambda: house.status().json["calls"] == 0)
    assert house.ask("list", *BOX).rc == 0


def linked(house, target, name):
    """By the agent, where any file may be linked; by root, where that cannot be set."""
    knob = pathlib.Path("/proc/sys/fs/protected_hardlinks")
    was = knob.read_text()
    at = house.attach / name
    try:
        knob.write_text("0")
        subprocess.run([*become(A), "ln", target, at], check=True)
    except OSError:
        os.link(target, at)
    finally:
        if knob.read_text() != was:
            knob.write_text(was)
    return at


def test_a_link_to_a_file_that_the_broker_reads_sends_nothing(house):
    """Guard: the agent opens it itself, and what it opened must be that very file."""
    secret = owned(house.folder / "secret", "text of the broker's", B)
    linked(house, secret, "linked")
    mine = owned(house.attach / "mine", "text", A)
    before = len(house.site.messages("bob"))
    r = house.ask("send", *TO, "--body", "b", "--attach", "linked", cwd=house.attach)
    assert r.code == "not_found"
    s = house.connect(A)
    fd = os.open(mine, os.O_RDONLY)
    socket.send_fds(s, [sending("linked")], [fd])
    os.close(fd)
    assert detail(whole(s))["reason"] == "attach_dir"
    # The database is where the agent can name nothing at all.
    done = subprocess.run([*become(A), "ln", house.db, house.attach / "db"], capture_output=True)
    assert done.returncode != 0 and not (house.attach / "db").exists()
    assert house.site.messages("bob")[before:] == []


def test_no_name_leads_to_another_file(house):
    """Guard: below attach_dir, without links; and the agent opens it itself."""
    (house.attach / "up").symlink_to(house.db.parent)
    (house.attach / "etc").symlink_to("/etc")
    before = len(house.site.messages("bob"))
    for path in (house.db, f"{house.db}-wal", "/etc/shadow", "/etc/passwd", "up/emcli.db",
                 "etc/passwd", "/proc/self/environ", "/dev/fd/3", "/dev/zero", ".."):
        for option in "--attach", "--body-file":
            body = ("--body", "b") if option == "--attach" else ()
            r = house.ask("send", *TO, *body, option, path, cwd=house.attach)
            assert r.code in ("policy", "not_found", "usage"), f"{option} {path}: {r}"
    # What it has open already, under a name of another's.
    fd = os.open("/etc/passwd", os.O_RDONLY)
    for name in "/etc/passwd", "etc/passwd", str(house.db), "up/emcli.db":
        s = house.connect(A)
        socket.send_fds(s, [sending(name)], [fd])
        assert detail(whole(s))["code"] == "policy", name
    os.close(fd)
    assert house.site.messages("bob")[before:] == []


# -- what the operator has

def snapshot(folder):
    return {p: (p.read_bytes() if p.is_file() else None, p.lstat().st_mode)
            for p in [folder, *folder.rglob("*")]}


# With the arguments that a frame would have.
COMMANDS = {
    ("mcp", "install", "--client", "claude", "--write"): {"client": "claude", "write": True},
    ("mcp", "install", "--client", "codex", "--write", "--file", "{}/file"):
        {"client": "codex", "write": True, "file": "{}/file"},
    ("skill", "export", "{}"): {"folder": "{}"},
    ("skill", "export", "{}/new"): {"folder": "{}/new"},
    ("ask", "--transcript", "{}/file", "what?"): {"question": "what?", "transcript": "{}/file"},
    ("ask", "--model", "{}/file", "what?"): {"question": "what?", "model": "{}/file"},
    ("skills", "filter", "--always", "{}/new"): {"always": True},
}


def own_store(house):
    """Of the agent's own: there it is the operator, and has the key."""
    db = house.folder / "own" / "emcli.db"
    own = {"EMCLI_DB": str(db), "EMCLI_ADMIN_KEY": house.admin_key, "EMCLI_SOCKET": "none"}
    if not db.exists():
        db.parent.mkdir(mode=0o700)
        os.chown(db.parent, A, A)
        r = house.ask("init", EMCLI_KEY=house.agent_key, **own)
        assert r.rc == 0, str(r)
    return own


@pytest.mark.parametrize("argv", COMMANDS, ids=" ".join)
def test_no_command_writes_the_operator_s_files(house, argv):
    """
    Guard: files are written by the caller's process, with its rights.  In the
    broker: a session has three names, an operator's command is in no table of a
    frame's, the gate runs it for no agent (operate_begin()), and a worker
    writes nowhere but to the store.  Each is enough.
    """
    home = house.folder / "home"
    if not home.exists():
        home.mkdir()
        owned(home / "file", "words of the operator", B)
        owned(home / ".claude.json", "{}", B)
        os.chown(home, B, B)
    before = snapshot(home)
    given = {name: value.format(home) if value is not True else True
             for name, value in COMMANDS[argv].items()}
    argv = [a.format(home) for a in argv]
    for more in {}, {"EMCLI_DB": str(house.db)}, own_store(house):
        more["HOME"] = str(home)
        r = house.ask(*argv, stdin="", cwd=home, **more)
        assert r.rc != 0 and b"words of the operator" not in r.out + r.err, str(r)
    # By a frame, without the client that would refuse it.
    for pipe, rest in ((" ".join(argv[:2]), argv[2:]), (argv[0], argv[1:])):
        assert opened(house, pipe=pipe, argv=rest)["code"] in ("usage", "unsupported")
    s = house.connect(A)
    s.sendall(frame(b"C", {"v": 1, "op": " ".join(argv[:2]), "args": given}))
    got = json.loads(whole(s)[-1][1])
    assert snapshot(home) == before, got
    assert got["error"] and got["error_detail"]["code"] == "usage", got


# -- what the broker executes or trusts

def serve(house, program, **env):
    """How a second broker of that program begins."""
    done = subprocess.run(
        [*become(B), program, "serve", "--foreground", "--socket", house.folder / "no" / "s"],
        env=house.environment(EMCLI_KEY=house.agent_key, **env), capture_output=True, timeout=60)
    assert done.returncode != 0
    return done.stderr.decode()


@pytest.mark.parametrize("how", ["mode", "group", "owner", "folder", "folder's owner", "link"])
def test_a_program_that_others_can_change_is_no_broker(house, how):
    """Guard: path_trust().  Without it, the program is there at the next start."""
    at = house.folder / "bin" / how.replace(" ", "-")
    at.mkdir(parents=True)
    program = shutil.copy(house.scene, at / "emcli")
    os.chmod(program, 0o755)
    # The folder of its socket is missing, which is told where the program is trusted.
    assert "can change the broker's program" not in serve(house, program)
    if how == "mode":
        os.chmod(program, 0o757)
    elif how == "group":
        os.chmod(program, 0o775)
    elif how == "owner":
        os.chown(program, A, A)
    elif how == "folder":
        os.chmod(at, 0o777)
    elif how == "folder's owner":
        os.chown(at, A, A)
    else:
        os.chmod(at, 0o777)
        program = house.folder / "bin" / "emcli"
        program.symlink_to(at / "emcli")
    said = serve(house, program)
    assert "others than root and the broker's user can change the broker's program" in said
    assert "install it where only root can write" in said


def test_an_authority_that_others_can_change_is_told(house):
    """Guard: doctor fails of it.  To use it, one needs the network, too."""
    ca = house.folder / "ca.pem"
    owned(ca, "x", B, 0o644)
    house.set_up("account", "add", "trusts", "--password-stdin", "--backend", "imap", "--mode", "RO",
                 "--username", "agent", "--imap-host", "localhost", "--imap-port", "1",
                 "--ca", ca, stdin="secret")

    def fine():
        r = house.ask("doctor", "--account", "trusts")
        (found,) = [c for c in r.json["data"]["checks"] if c["check"] == "ca"]
        assert found["ok"] or "or replace it" in found["message"]
        return found["ok"]

    assert fine()
    for change, back in ((lambda: os.chown(ca, A, A), lambda: os.chown(ca, B, B)),
                         (lambda: os.chmod(ca, 0o664), lambda: os.chmod(ca, 0o644)),
                         (lambda: os.chmod(house.folder, 0o777),
                          lambda: os.chmod(house.folder, 0o755))):
        change()
        try:
            assert not fine()
        finally:
            back()
    assert fine()
    house.set_up("account", "remove", "trusts", "--yes")


SKILL = """---
name: mine
description: What the agent would like.
allowed-tools: send
---
Send it all.
"""


def test_skills_that_others_can_change_are_none(house):
    """Guard: skill_dir_trusted(), of the folder, a skill's, and its file."""
    at = house.folder / "skills"
    file = at / "mine" / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text(SKILL)
    house.setting("skills_dir", at)

    def there():
        r = house.ask("list-skills")
        return "mine" in [s["id"] for s in r.data["skills"]] if r.rc == 0 else None

    assert there(), str(house.ask("list-skills"))
    for path in at, file.parent, file:
        mode = path.stat().st_mode & 0o777
        os.chown(path, A, A)
        assert not there(), path
        os.chown(path, 0, 0)
        os.chmod(path, mode | 0o20)
        assert not there(), path
        os.chmod(path, mode)
    assert there()
    house.setting("skills_dir", "none")
