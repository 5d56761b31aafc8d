"""A terminal that a test types into: tmux, on a server of its own."""

import os
import pathlib
import re
import shlex
import subprocess
import time

import servers

# A field of a form: its name, and what is in it.
FIELD = re.compile(r"  [A-Z][A-Za-z ]+(?:$|  )")


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

    def rows(self):
        """All lines, and the one in which the cursor is, of one moment."""
        y, *rows = self.call("display-message", "-p", "#{cursor_y}", ";",
                             "capture-pane", "-p").split("\n")
        return rows, rows[int(y)]

    def row(self):
        """The line in which the cursor is: of a form, the field that is typed into."""
        return self.rows()[1]

    def press_in_form(self, key, seconds=30):
        """A key that changes the field or goes to another, until the screen has come to rest."""
        was = self.row()
        self.press(key)
        end = time.monotonic() + seconds
        while (now := self.row()) == was or not FIELD.match(now):
            assert time.monotonic() < end, f"{key} has changed nothing:\n{self.text()}"
            time.sleep(0.02)
        while (after := self.row()) != now:
            now = after
            time.sleep(0.02)

    def way(self, label):
        """Which of Up and Down leads to that field sooner; the last leads to the first."""
        rows, row = self.rows()
        rows = [r for r in rows if FIELD.match(r)]
        here = [i for i, r in enumerate(rows) if r == row]
        there = [i for i, r in enumerate(rows) if r.lstrip().startswith(label)]
        if not here or not there:
            return "Down"
        # What is said of a field stands above it, and may begin as it does.
        down = (there[-1] - here[0]) % len(rows)
        return "Down" if down <= len(rows) / 2 else "Up"

    def go(self, label):
        """To the field of that name, wherever on its page it is."""
        for _ in range(60):
            if self.row().lstrip().startswith(label):
                return
            self.press_in_form(self.way(label))
        raise AssertionError(f"no field {label!r} on the screen:\n{self.text()}")

    def choose(self, label, value):
        """Of a field that offers choices that one."""
        self.go(label)
        for _ in range(30):
            if re.search(rf"{label} +{value}\s*$", self.row()):
                return
            self.press_in_form("Space")
        raise AssertionError(f"{label} offers no {value!r}:\n{self.text()}")

    def fill(self, label, text):
        """What is in that field in place of what is there."""
        self.go(label)
        self.pressed += 1
        self.call("send-keys", "C-u", ";", "send-keys", "-l", "--", text)

    def end(self, seconds=30):
        """The exit status, once it has ended."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.status.exists() and self.status.read_text().strip():
                return int(self.status.read_text())
            time.sleep(0.05)
        raise AssertionError(f"it has not ended:\n{self.text()}")
