# SPDX-License-Identifier: Apache-2.0
"""A terminal that a test types into: tmux, on a server of its own."""

import fcntl
import os
import pathlib
import re
import select
import shlex
import struct
import subprocess
import termios
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
        outer = f"trap : INT; sh -c {shlex.quote(inner)}; echo $? > {self.status}; sleep 300"
        # To begin tmux costs more than most commands of ours: one is begun, and
        # asked by control mode.  It has no say in the window's size.
        self.command = [self.tmux, "-S", self.socket, "-f", "/dev/null"]
        r = subprocess.run([*self.command, "new-session", "-d", "-x", str(size[0]), "-y", str(size[1]),
                            f"exec sh -c {shlex.quote(outer)}"], capture_output=True, timeout=60)
        assert r.returncode == 0, r.stderr.decode()
        self.client = subprocess.Popen(
            [*self.command, "-C", "attach-session", "-f", "no-output,ignore-size"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.held = b""
        self.answer()
        self.tty = self.call("display-message", "-p", "#{pane_tty}").strip()
        # It has begun, or keys were pressed, and nobody has waited for what it draws then.
        self.loose = True

    def line(self):
        """The next of the client's lines."""
        while b"\n" not in self.held:
            ready = select.select([self.client.stdout], [], [], 60)[0]
            more = os.read(self.client.stdout.fileno(), 1 << 16) if ready else b""
            assert more, f"tmux says nothing more behind {self.held!r}"
            self.held += more
        line, self.held = self.held.split(b"\n", 1)
        return line

    def answer(self):
        """What a command printed: all between two lines with the same number."""
        while not (line := self.line()).startswith(b"%begin "):
            assert not line.startswith(b"%exit"), "the window is closed"
        number, lines = line.removeprefix(b"%begin "), []
        while (line := self.line()) not in (b"%end " + number, b"%error " + number):
            lines.append(line)
        assert line.startswith(b"%end"), lines
        return b"".join(part + b"\n" for part in lines).decode()

    def call(self, *argv):
        """One command, or several with ";" between them."""
        words = [a if a == ";" else "'" + a.replace("'", "'\"'\"'") + "'" for a in argv]
        assert not any("\n" in w for w in words)
        self.client.stdin.write(" ".join(words).encode() + b"\n")
        self.client.stdin.flush()
        return "".join([self.answer() for _ in range(words.count(";") + 1)])

    def close(self):
        subprocess.run([*self.command, "kill-server"], capture_output=True, timeout=60)
        self.client.kill()
        self.client.communicate()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def pid(self):
        return int(self.pid_file.read_text())

    def press(self, *keys):
        self.loose = True
        for k in keys:
            self.pressed += 1
            self.call("send-keys", k)

    def type(self, text):
        self.loose = True
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

    def wait(self, pattern, seconds=60):
        """The match on the screen, once it is there."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            shown = self.text()
            found = re.search(pattern, shown)
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError(f"no {pattern!r} on the screen:\n{shown}")

    def has_read(self):
        """Has it read all that was typed, and sleeps until there is more?"""
        pid = self.pid_file.read_text().strip() if self.pid_file.exists() else ""
        if not pid:
            return False
        try:
            with open(f"/proc/{pid}/stat") as f:
                state = f.read().rpartition(")")[2].split()[0]
        except OSError:
            return True
        tty = os.open(self.tty, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            (left,) = struct.unpack("i", fcntl.ioctl(tty, termios.FIONREAD, bytes(4)))
        finally:
            os.close(tty)
        return state in "SZ" and left == 0

    def settle(self, seconds=60):
        """Until it has drawn what the keys do that were pressed; for forms."""
        end, calm = time.monotonic() + seconds, 0
        while self.loose and calm < 2:
            calm = calm + 1 if self.has_read() else 0
            assert time.monotonic() < end, f"it reads no keys:\n{self.text()}"
            time.sleep(0.02)
        self.loose = False

    def rows(self):
        """All lines, and the one in which the cursor is, of one moment."""
        self.settle()
        y, *rows = self.call("display-message", "-p", "#{cursor_y}", ";",
                             "capture-pane", "-p").split("\n")
        return rows, rows[int(y)]

    def row(self):
        """The line in which the cursor is: of a form, the field that is typed into."""
        return self.rows()[1]

    def press_in_form(self, key, seconds=60):
        """A key that changes the field or goes to another, until the screen has come to rest."""
        was = self.row()
        self.press(key)
        self.loose = False
        end = time.monotonic() + seconds
        while (now := self.row()) == was or not FIELD.match(now):
            assert time.monotonic() < end, f"{key} has changed nothing:\n{self.text()}"
            time.sleep(0.02)
        self.rest()

    def rest(self):
        """The line in which the cursor is, once it stays there: it moves while a page is drawn."""
        now = self.row()
        time.sleep(0.02)
        while (after := self.row()) != now:
            now = after
            time.sleep(0.02)
        return now

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
            if self.rest().lstrip().startswith(label):
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
        self.loose = True
        self.pressed += 1
        self.call("send-keys", "C-u", ";", "send-keys", "-l", "--", text)

    def end(self, seconds=60):
        """The exit status, once it has ended."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.status.exists() and self.status.read_text().strip():
                return int(self.status.read_text())
            time.sleep(0.05)
        raise AssertionError(f"it has not ended:\n{self.text()}")
