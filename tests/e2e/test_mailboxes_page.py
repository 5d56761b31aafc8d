"""doc/mailboxes.md, typed as it is, by an operator with two programs."""

import json
import os
import pathlib
import re
import signal
import subprocess

import cli

PROGRAM = "#!/bin/sh\nexec sleep 600\n"


def commands():
    text = (cli.ROOT / "doc/mailboxes.md").read_text()
    return [line.strip() for line in re.findall(r"^    (?! )[^\n]+$", text, re.M)]


def test_the_page_is_typed_and_does_what_it_says(tmp_path):
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
                            HOME=str(home), PATH=f"{bin_}:/usr/bin:/bin")
    said = {}
    ref = None
    try:
        for line in commands():
            done = subprocess.run(["bash", "-ec", line.replace("REF", ref or "REF")], env=env,
                                  capture_output=True, timeout=60)
            cli.no_report(done.stderr)
            assert done.returncode == 0, (line, done)
            said[line] = done.stdout.decode()
            if "--print-json" in line:
                [m] = json.loads(said[line])["messages"]
                assert [a["label"] for a in m["attachments"]] == ["build.log"]
                ref = m["message_ref"]
    finally:
        for path in pathlib.Path(home).glob(".config/houmao/runtime/sessions/*/*/session.json"):
            pid = json.loads(path.read_text())["pid"]
            if pid:
                os.kill(pid, signal.SIGKILL)
    checks = [json.loads(text) for line, text in said.items()
              if " check " in line and "--agent-name writer" in line]
    assert [[m["subject"] for m in c["messages"]] for c in checks] == [["Re: Build"], ["Re: Build"]]
    [rules] = [text for line, text in said.items() if line.startswith("emcli mailbox messages")]
    assert "Rules" in rules
    [status] = [text for line, text in said.items() if "mailbox status --agent-name" in line]
    assert "can be used" in status and str(home / "other-team") in status
