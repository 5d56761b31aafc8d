# SPDX-License-Identifier: Apache-2.0
"""doc/mailboxes.md, typed as it is, by an operator with two programs."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios

import cli
import servers

PROGRAM = "#!/bin/sh\nexec sleep 600\n"
WIDE = 80


def commands():
    text = (cli.ROOT / "doc/mailboxes.md").read_text()
    return [line.strip() for line in re.findall(r"^    (?! )[^\n]+$", text, re.M)]


def on_a_terminal(argv, env):
    """What it prints on one of 80 columns, a line of it a line."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", 24, WIDE, 0, 0))
    p = subprocess.Popen(argv, env=env, stdout=theirs)
    os.close(theirs)
    got = b""
    try:
        while piece := os.read(ours, 65536):
            got += piece
    except OSError:  # so a terminal says that the program has ended
        pass
    os.close(ours)
    assert p.wait() == 0, got
    return got.decode().replace("\r\n", "\n").splitlines()


def in_tmux(env, *argv):
    return subprocess.run(["tmux", *argv], env=env, capture_output=True, text=True).stdout


def test_the_page_is_typed_and_does_what_it_says(tmp_path):
    servers.need("tmux", "tmux")
    emcli = cli.Emcli(tmp_path / "store")
    emcli.init()
    bin_, home = tmp_path / "bin", tmp_path / "home"
    for folder in bin_, home:
        folder.mkdir()
    (bin_ / "emcli").symlink_to(emcli.binary)
    for name in "claude", "codex":
        (bin_ / name).write_text(PROGRAM)
        (bin_ / name).chmod(0o755)
    env = emcli.environment(EMCLI_KEY=emcli.agent_key, EMCLI_ADMIN_KEY=emcli.admin_key,
                            HOME=str(home), TMUX_TMPDIR=str(tmp_path),
                            PATH=f"{bin_}:/usr/bin:/bin")
    said = {}
    ref = None
    try:
        for line in commands():
            done = subprocess.run(["bash", "-ec", line.replace("REF", ref or "REF")], env=env,
                                  capture_output=True, timeout=60)
            cli.no_report(done.stderr)
            assert done.returncode == 0, (line, done)
            said[line] = done.stdout.decode()
            if "check --agent-name ci --unread-only" in line:
                [m] = json.loads(said[line])["messages"]
                assert [a["label"] for a in m["attachments"]] == ["build.log"]
                ref = m["message_ref"]
            if line == "emcli session list":
                assert len(in_tmux(env, "list-sessions").splitlines()) == 1
                # What has to be typed again is never cut.
                ids = [p.parent.name for p in home.glob(".config/houmao/runtime/sessions/*/*/session.json")]
                lines = on_a_terminal(line.split(), env)
                assert len(ids) == 2 and {f"  {i}" for i in ids} <= set(lines)
            if line == "emcli agents mail check --agent-name writer":
                mail = json.loads(said[line])["messages"]
                lines = on_a_terminal(line.split(), env)
                assert "  " + mail[0]["message_ref"] in lines
                assert not [x for x in lines if len(x) > WIDE]
    finally:
        # With their gateways, which would live on.
        for path in home.glob(".config/houmao/runtime/sessions/*/*/session.json"):
            subprocess.run([emcli.binary, "session", "stop", path.parent.name], env=env,
                           stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        in_tmux(env, "kill-server")
    checks = [json.loads(text) for line, text in said.items()
              if " check " in line and "--agent-name writer" in line]
    assert [[m["subject"] for m in c["messages"]] for c in checks] == [["Re: Build"], ["Re: Build"]]
    [read] = [json.loads(text) for line, text in said.items() if "mail read" in line]
    assert read["message"]["body_text"] == "Please look at the log."
    [rules] = [text for line, text in said.items() if line.startswith("emcli mailbox messages")]
    assert "Rules" in rules
    [status] = [text for line, text in said.items() if "mailbox status --agent-name" in line]
    assert "can be used" in status and str(home / "other-team") in status


def test_help_on_these_commands_fits_a_terminal(emcli):
    for group in "home", "session", "agents", "mailbox", "gateway", "credential":
        listed = emcli.run("help", group).out.decode().splitlines()
        verbs = {tuple(re.match("  ([a-z -]+) [A-Z]", x)[1].split()) for x in listed[1:]}
        assert len(verbs) > 2
        for words in [(group,), *verbs]:
            lines = emcli.run("help", *words).out.decode().splitlines()
            assert lines and not [x for x in lines if len(x) > WIDE], words
