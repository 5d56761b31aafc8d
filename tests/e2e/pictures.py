#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""
The pictures of doc/hosts: each host is installed and asked for its user's mail as its page
says, in a terminal of 80 columns, with a throw-away mailbox and a scripted model, and what the
terminal shows is drawn.  A picture holds no time, no path of this machine and not its name: the
user is mara on the machine mail, and what a host says of how long it took is left out.

python3 tests/e2e/pictures.py [HOST...]     as root, since it mounts a home of its own

The hosts are 1.8 GB, so the pictures are made by hand; test_pictures.py compares what emcli
itself says in them with what it says now.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import bundled
import cli
import judges_bundles
import judges_hosts
import svg
import tui

TO = cli.ROOT / "doc/hosts"
HOME, MAIL = pathlib.Path("/home/mara"), pathlib.Path("/srv/mail")
ASKS = "Read my new mail to me"
PROMPT = "$ "
FENCE = re.compile(r"\b[0-9a-f]{32}\b")


class Scene(judges_hosts.Scene):
    """One letter, and a model that finds it."""

    letter = {"sender": "Bob <bob@lab.example>", "subject": "The plan", "body": "Is Monday good?\r\n"}
    script = {ASKS: judges_hosts.SCRIPT["TURN-1"]}
    says = {ASKS: "There is one new message. Bob (bob@lab.example) writes about \"The plan\": "
                  "\"Is Monday good?\""}


class Shown:
    """The host of a page, in mara's home; its page's commands are typed into a shell."""

    lines, rows = 48, 24   # of the shell's terminal, and of the host's own

    def places(self):
        return HOME, HOME / "emcli"

    def install(self, tap, more):
        self.env.update(TERM="xterm-256color", PS1=PROMPT, USER="mara", EMCLI_SOCKET="none",
                        EMCLI_ADMIN_KEY=self.emcli.admin_key, HISTFILE="", SHELL="/bin/bash")
        del self.env["CI"]
        super().install(False, more)

    def screen(self, argv, rows=None):
        words = ["/bin/sh", "-c", f'cd {self.cwd} && exec "$@"', "sh", *map(str, argv)]
        return tui.Screen(words, self.env, tempfile.mkdtemp(dir=self.folder), (80, rows or self.lines))

    def page(self):
        """Typed, instead of run; the judge's page() is what is typed."""
        self.typed = ["emcli account list", *super().page()]
        with self.screen(["bash", "--norc", "--noprofile", "-i"]) as s:
            s.wait(r"^\$ ?$")
            for line in self.typed:
                s.type(line)
                s.press("Enter")
                self.answer(s)
            self.installed = shown(s)
        self.said = "\n".join(plain(line).rstrip() for line in self.installed)
        return []

    def answer(self, s):
        """Until the shell asks again, and the key where the host asks for it."""
        end = time.monotonic() + 120
        while True:
            time.sleep(0.5)
            last = s.text().splitlines()[-1]
            if last == PROMPT.strip():
                return
            if self.asks and re.search(self.asks, last):
                s.type(self.emcli.agent_key)
                s.press("Enter")
            assert time.monotonic() < end, s.text()

    asks, scrolls = None, False

    def pictures(self):
        return {"install": self.installed, "mail": self.mail()}

    def mail(self):
        """The user asks, and the host answers."""
        with self.screen(self.argv(*self.words), self.rows) as s:
            self.begin(s)
            for c in ASKS:   # what comes faster is taken for a paste
                s.type(c)
                time.sleep(0.1)
            time.sleep(1)
            s.press("Enter")
            self.permit(s)
            s.wait(r"Is\s+Monday\s+good", 120)
            rest(s)
            return lasting(shown(s), self.passing)

    words, passing = (), r"^\b$"

    def begin(self, s):
        s.wait(self.ready, 90)
        time.sleep(2)

    def permit(self, s):
        """Where the host asks whether the tools may be used."""


def plain(line):
    return svg.SGR.sub("", line)


def lasting(lines, passing):
    """Without the lines that are others the next time, and what is wrapped of them; the mark of
    a fence has as many digits, and always the same."""
    out, passes = [], False
    for line in lines:
        text = plain(line).rstrip()
        passes = bool(re.search(passing, text)) or passes and full
        full = len(text) > 78
        out += [] if passes else [FENCE.sub("0123456789abcdef" * 2, line)]
    return out


def rest(s, seconds=8):
    """Until nothing on the screen has changed for so long: hosts add hints one after another."""
    was, since = None, time.monotonic()
    while time.monotonic() < since + seconds:
        now = s.text()
        if now != was:
            was, since = now, time.monotonic()
        time.sleep(0.2)


def shown(s):
    """The screen's lines, with their colours."""
    return s.call("capture-pane", "-p", "-e", "-N").split("\n")


class Claude(Shown, judges_bundles.Claude):
    ready = "❯"
    words = ("--allowedTools", judges_bundles.Claude.server)
    # How long it took, and when the model that was asked for will be gone.
    passing = r"^[✻✶✳✢·*] \w+ for |^⚠ Claude "

    def configure(self):
        super().configure()
        self.write(".claude.json", {"hasCompletedOnboarding": True, "theme": "dark", "projects": {
            str(self.cwd): {"hasTrustDialogAccepted": True}}})


class Codex(Shown, judges_bundles.Codex):
    ready = "Ask Codex"
    passing = r"^. Worked for "


class Gemini(Shown, judges_bundles.Gemini):
    ready = "Type your message"
    asks = " ›"
    scrolls = True   # what the tools answered moves the question out of sight

    def permit(self, s):
        s.wait("Allow all server tools", 60)
        time.sleep(1)
        s.press("3")


class OpenClaw(Shown, judges_bundles.OpenClaw):
    passing = r"^\d\d:\d\d:\d\d "   # its log

    def mail(self):
        with self.screen(["bash", "--norc", "--noprofile", "-i"]) as s:
            s.wait(r"^\$ ?$")
            s.type(f"openclaw agent --local --agent main --message '{ASKS}'")
            s.press("Enter")
            self.answer(s)
            return lasting(shown(s), self.passing)


HOSTS = [Claude, Codex, Gemini, OpenClaw]


def alone():
    """In a mount namespace with a home of its own, on a machine of another name."""
    if os.environ.get("EMCLI_PICTURES") == "alone":
        return
    inner = (f"mount -t tmpfs tmpfs /home && mount -t tmpfs tmpfs {MAIL.parent} && "
             f"mkdir -p {HOME}/emcli && hostname mail && exec \"$@\"")
    os.environ["EMCLI_PICTURES"] = "alone"
    os.execvp("unshare", ["unshare", "-m", "-u", "sh", "-c", inner, "sh", sys.executable,
                          *sys.argv])


def take(which):
    for path in HOME, MAIL:
        assert os.path.ismount(path.parent), "what is cleared is nobody's"
        path.mkdir(exist_ok=True)
        subprocess.run(["find", path, "-mindepth", "1", "-delete"], check=True)
    made = judges_bundles.made
    made["folder"] = bundled.publish(MAIL / "made", bundled.static(MAIL / "static"))
    scene = Scene(MAIL, which)
    try:
        pictures = scene.host.pictures()
    finally:
        scene.host.sweep()
        scene.model.stop()
    name = which.client
    for part, lines in pictures.items():
        title = {"install": f"emcli is installed in {name}", "mail": f"{name} reads mail"}[part]
        text = svg.draw(lines, title)
        assert len(text) < 40_000 and str(cli.ROOT) not in text and "/tmp" not in text, text
        assert scene.emcli.agent_key not in text and scene.emcli.admin_key not in text
        assert part != "mail" or scene.host.scrolls or ASKS in text, text
        (TO / f"{name}-{part}.svg").write_text(text)
        print(f"== {name}-{part}.svg, {len(text)} bytes\n" + "\n".join(svg.read(text)))


def main():
    alone()
    for which in HOSTS:
        if which.__name__ in sys.argv[1:] or not sys.argv[1:]:
            take(which)


if __name__ == "__main__":
    main()
