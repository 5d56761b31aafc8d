# SPDX-License-Identifier: Apache-2.0
"""The README's way from nothing to the first mail, typed as it stands there, in an empty home."""
import json
import os
import re
import shlex
import shutil
import subprocess
import termios
import time

import pytest

import cli
import servers
import tui
from firstrun import ADDRESS, KEY
from mail import message

REPOSITORY = "REPOSITORY"
PROMPT = "ready> "


def commands():
    text = (cli.ROOT / "README.md").read_text()
    part = text.split("## From nothing to the first mail\n", 1)[1].split("\n## ", 1)[0]
    block = re.search(r"\n\n((?:    [^\n]+\n)+)\n", part).group(1)
    return [line.strip() for line in block.splitlines()]


def test_there_are_at_most_six():
    """Counted as they are typed: none hides another behind && or ;."""
    typed = [c for line in commands() for c in re.split(r"&&|;|\|", line)]
    # `read` and `export` are one act: the key is pasted once.
    assert len(commands()) <= 6 and len(typed) <= 7
    assert commands()[0].startswith("git clone ") and " get " in commands()[-1]


@pytest.fixture
def repository(tmp_path):
    """What is here, as a repository to clone."""
    git = servers.need("git", "git")
    origin = tmp_path / "origin"
    shutil.copytree(cli.ROOT, origin, symlinks=True,
                    ignore=shutil.ignore_patterns("build", "build-*", ".git", "node_modules", "__pycache__"))
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    who = ["-c", "user.name=x", "-c", "user.email=x@lab.example"]
    for argv in ["init", "-q"], ["add", "-A"], [*who, "commit", "-qm", "x"]:
        subprocess.run([git, *argv], cwd=origin, env=env, check=True, timeout=60)
    return origin


class Shell(tui.Screen):
    """A person's shell, in which the commands are typed."""

    def __init__(self, home):
        env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "TERM": "xterm-256color",
               "LC_ALL": "C.UTF-8", "PS1": PROMPT}
        super().__init__(["bash", "--norc", "--noprofile", "-i"], env, home.parent, (120, 50))
        self.call("send-keys", "-l", "--", f"cd {home}; clear")
        self.press("Enter")
        self.wait(rf"\A{PROMPT.strip()}$")

    def enter(self, command):
        self.type(command)
        while self.text().endswith(PROMPT.strip()):  # what done() waits for comes after it
            time.sleep(0.02)
        self.press("Enter")

    def hidden(self, seconds=30):
        """Waits until `read -s` reads: what is typed sooner is the shell's own."""
        tty = os.open(self.call("display-message", "-p", "#{pane_tty}").strip(), os.O_RDWR | os.O_NOCTTY)
        end = time.monotonic() + seconds
        while termios.tcgetattr(tty)[3] & (termios.ECHO | termios.ICANON) != termios.ICANON:
            assert time.monotonic() < end, self.text()
            time.sleep(0.02)
        os.close(tty)

    def done(self, seconds=300):
        """What it said, when the shell asks for the next."""
        end = time.monotonic() + seconds
        while not self.text().endswith(PROMPT.strip()):
            assert time.monotonic() < end, self.text()
            time.sleep(0.1)
        said = self.joined()
        self.enter("clear")
        self.wait(rf"\A{PROMPT.strip()}$")
        self.call("clear-history")
        return said


def initialise(s, box):
    """As a person answers; the agent's key is written down."""
    s.wait("Make the keys now")
    s.press("Enter")
    key = s.wait(rf" EMCLI_KEY +({KEY})").group(1)
    s.press("Enter")
    s.wait("Mail is kept by +imap")
    s.type(ADDRESS)
    s.choose("Mail is kept by", "maildir")
    s.press("Enter")
    s.wait("Maildir\n")
    s.type(str(box))
    s.press("Enter")
    s.wait("Only listed senders")
    s.press("Enter")
    s.wait("Write it down")
    s.press("Enter")
    return key


def test_from_nothing_to_the_first_mail(repository, site, tmp_path):
    site.deliver("agent", message(subject="the first", body="Read by an agent.\r\n"))
    home = tmp_path / "home"
    home.mkdir()
    clone, attempt, init, read, list_, get = commands()
    with Shell(home) as s:
        s.enter(clone.replace(REPOSITORY, str(repository)))
        s.done()
        assert (home / "emcli" / "try").exists()
        # What was built from the same sources is not built again: that it
        # builds from nothing is what made it.
        shutil.copytree(cli.ROOT / "build", home / "emcli" / "build", symlinks=True)
        now = time.time() + 1
        for folder, _, names in os.walk(home / "emcli" / "build"):
            for name in names:
                os.utime(os.path.join(folder, name), (now, now), follow_symlinks=False)
        s.enter(attempt)
        assert "its mail were in" in s.done()
        s.enter(init)
        key = initialise(s, site.box("agent"))
        assert "added lab" in s.done()
        s.enter(read)
        s.hidden()
        s.type(key)
        s.press("Enter")
        assert key not in s.done()
        s.enter(list_)
        rows = json.loads(re.search(r"^\{.*\}$", s.done(), re.M).group(0))
        assert [(m["uid"], m["subject"]) for m in rows["data"]["messages"]] == [(1, "the first")]
        s.enter(get)
        mail = json.loads(re.search(r"^\{.*\}$", s.done(), re.M).group(0))
        assert mail["data"]["text"].strip() == "Read by an agent."
    # What the shell remembers is not the key.
    history = home / ".bash_history"
    assert not history.exists() or key not in history.read_text()
    assert {p.name for p in home.iterdir()} - {history.name} == {"emcli", ".config"}


def screen():
    """The terminal on the first screen: commands, and what each prints."""
    text = (cli.ROOT / "README.md").read_text()
    shown = [line[4:] for line in
             re.search(r"\n\n((?:    [^\n]+\n)+)\n", text).group(1).splitlines()]
    at = [i for i, line in enumerate(shown) if line.startswith("$ ")]
    return [(shlex.split(shown[i][2:], comments=True), shown[i + 1:end])
            for i, end in zip(at, [*at[1:], len(shown)])]


def test_the_first_screen_is_what_a_terminal_shows(emcli, site):
    boss = "boss@example.org"
    emcli.account_maildir(site.path, process_backlog=True, whitelist_in="on", whitelist_out="on")
    emcli.whitelist("in", boss)
    emcli.whitelist("out", boss)
    for subject, sender, at in (("Plan for Monday", boss, "09:12"), ("And the minutes", boss, "14:30"),
                                ("Send me the list", "stranger@elsewhere.example", "15:00")):
        site.deliver("agent", message(subject=subject, sender=sender,
                                      date=f"Sun, 21 Jun 2026 {at}:00 +0000"))
    commands = screen()
    assert sum(1 + len(said) for _, said in commands) == 10
    for argv, said in commands:
        assert argv[0] == "emcli"
        r = emcli.run(*argv[1:], env={"TZ": "UTC"})
        assert r.out.decode().splitlines() == said, str(r)


def tidying():
    text = (cli.ROOT / "README.md").read_text()
    part = text.split("## Tidy my inbox, and take it back\n", 1)[1].split("\n## ", 1)[0]
    block, = re.findall(r"\n\n((?:    [^\n]+\n)+)\n", part)
    return [shlex.split(line, comments=True) for line in block.splitlines()]


def test_an_inbox_is_tidied_and_taken_back_in_five_lines(emcli, site):
    emcli.account_maildir(site.path, process_backlog=True)
    for half in "cur", "new", "tmp":
        (site.box("agent") / ".Archive" / half).mkdir(parents=True)
    for i in range(3):
        site.deliver("agent", message(subject=f"news {i}", sender="newsletter@shop.example"))
    site.deliver("agent", message(subject="a question"))

    def state():
        return {folder: sorted(m["subject"] for m in emcli.run(
            "list", "--account", "work", "--folder", folder).data["messages"])
            for folder in ("INBOX", "Archive")}

    def read():
        return len([*site.box("agent").rglob("*:2,*S*")])

    first = state()
    tidy = {"INBOX": ["a question"], "Archive": ["news 0", "news 1", "news 2"]}
    lines = tidying()
    assert len(lines) == 5 and all(line[0] == "emcli" for line in lines)
    for line, then in zip(lines, (first, first, tidy, first, first), strict=True):
        if "--agent" in line:
            assert emcli.run("mark", "--subject-contains", "question", "--read").rc == 0
            assert read() == 1
        r = emcli.admin(*line[1:])
        assert r.rc == 0, str(r)
        assert state() == then, line
    assert read() == 0
