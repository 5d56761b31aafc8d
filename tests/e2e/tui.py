"""A terminal that a test types into: tmux, on a server of its own."""

import os
import pathlib
import re
import shlex
import subprocess
import time

import servers


class Screen:
    """Runs one command in a window of that size; `pressed` counts its keys."""

    def __init__(self, argv, env, folder, size=(80, 24)):
        self.tmux = servers.need("tmux", "tmux")
        self.socket = str(pathlib.Path(folder) / "tmux")
        self.status = pathlib.Path(folder) / "status"
        self.pid_file = pathlib.Path(folder) / "pid"
        self.pressed = 0
        words = ["env", "-i", *(f"{k}={v}" for k, v in env.items()), *argv]
        # One shell becomes the program, another sees its end and stays.
        inner = f"echo $$ > {self.pid_file}; exec {shlex.join(words)}"
        outer = f"trap : INT; sh -c {shlex.quote(inner)}; echo $? > {self.status}; sleep 60"
        self.call("new-session", "-d", "-x", str(size[0]), "-y", str(size[1]),
                  f"exec sh -c {shlex.quote(outer)}")

    def call(self, *argv):
        r = subprocess.run([self.tmux, "-S", self.socket, "-f", "/dev/null", *argv],
                           capture_output=True, timeout=20)
        assert r.returncode == 0, r.stderr.decode()
        return r.stdout.decode()

    def close(self):
        subprocess.run([self.tmux, "-S", self.socket, "kill-server"],
                       capture_output=True, timeout=20)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def pid(self):
        return int(self.pid_file.read_text())

    def press(self, *keys):
        for k in keys:
            self.pressed += 1
            self.call("send-keys", k)

    def type(self, text):
        self.call("send-keys", "-l", "--", text)

    def resize(self, columns, rows):
        self.call("resize-window", "-x", str(columns), "-y", str(rows))

    def text(self, history=False):
        """Its lines, without blanks at their ends."""
        shown = self.call("capture-pane", "-p", *(["-S", "-"] if history else []))
        return "\n".join(line.rstrip() for line in shown.split("\n")).rstrip()

    def joined(self):
        """All there is and was, with what was wrapped in one line again."""
        return self.call("capture-pane", "-pJ", "-S", "-")

    def wait(self, pattern, seconds=30):
        """The match on the screen, once it is there."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            shown = self.text()
            found = re.search(pattern, shown)
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError(f"no {pattern!r} on the screen:\n{shown}")

    def end(self, seconds=30):
        """The exit status, once it has ended."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.status.exists() and self.status.read_text().strip():
                return int(self.status.read_text())
            time.sleep(0.05)
        raise AssertionError(f"it has not ended:\n{self.text()}")
