# SPDX-License-Identifier: Apache-2.0
"""
A terminal that a scene types into, and what is on its screen.

The program has settled when it has read all that was typed, has no child, and
sleeps: only then more is typed, so that a busy machine sees what a quiet one
does.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

COLUMNS, LINES = 80, 24
DEADLINE_S = 60
LOOK_S = 0.01
QUIET = 3  # so many looks in a row at which nothing happened
UNSEEN_S = 2  # after so long a key showed nothing
ESCAPE_S = 0.4  # emcli waits for a tenth of it whether more comes after Escape

KEYS = {"Enter": "\r", "Tab": "\t", "Space": " ", "Escape": "\x1b", "BSpace": "\x7f",
        "Up": "\x1bOA", "Down": "\x1bOB", "Right": "\x1bOC", "Left": "\x1bOD",
        "BTab": "\x1b[Z", "PageUp": "\x1b[5~", "PageDown": "\x1b[6~", "F1": "\x1bOP"}

SEQUENCE = re.compile(r"\x1b(?:\[([?>]?)([\d;]*)([@A-Za-z])|[()][A-Z0-9]|[=>78MDEHc])")


class Screen:
    """As much of a terminal as ncurses asks of TERM=xterm."""

    def __init__(self):
        self.rows = [[" "] * COLUMNS for _ in range(LINES)]
        self.x = self.y = 0
        self.top, self.bottom = 0, LINES - 1
        self.last = " "
        self.held = ""

    def text(self):
        return "".join("".join(row).rstrip() + "\n" for row in self.rows).rstrip("\n") + "\n"

    def scroll(self, top, by=1):
        """Lines top to bottom go up by so many; down, when that is negative."""
        for _ in range(abs(by)):
            if by > 0:
                del self.rows[top]
                self.rows.insert(self.bottom, [" "] * COLUMNS)
            else:
                del self.rows[self.bottom]
                self.rows.insert(top, [" "] * COLUMNS)

    def newline(self):
        if self.y == self.bottom:
            self.scroll(self.top)
        elif self.y < LINES - 1:
            self.y += 1

    def put(self, c):
        if self.x >= COLUMNS:
            self.x = 0
            self.newline()
        self.rows[self.y][self.x] = self.last = c
        self.x += 1

    def erase(self, y, begin, end):
        for x in range(begin, min(end, COLUMNS)):
            self.rows[y][x] = " "

    def control(self, mark, numbers, verb):
        n = [int(v or 0) for v in numbers.split(";")]
        one = max(n[0], 1)
        row = self.rows[self.y]
        if mark or verb in "mhlncqtr" and verb != "r":
            return
        if verb in "Hf":
            self.y, self.x = one - 1, max(n[1], 1) - 1 if len(n) > 1 else 0
        elif verb in "ABCD":
            self.y += {"A": -one, "B": one}.get(verb, 0)
            self.x += {"C": one, "D": -one}.get(verb, 0)
        elif verb == "G":
            self.x = one - 1
        elif verb == "d":
            self.y = one - 1
        elif verb == "K":
            self.erase(self.y, 0 if n[0] else self.x, self.x + 1 if n[0] == 1 else COLUMNS)
        elif verb == "J":
            if n[0] == 0:
                self.erase(self.y, self.x, COLUMNS)
            for y in range(LINES) if n[0] == 2 else range(self.y + 1, LINES):
                self.erase(y, 0, COLUMNS)
        elif verb == "X":
            self.erase(self.y, self.x, self.x + one)
        elif verb == "P":
            row[self.x:] = row[self.x + one:] + [" "] * one
        elif verb == "@":
            row[self.x:] = ([" "] * one + row[self.x:])[:COLUMNS - self.x]
        elif verb == "b":
            for _ in range(one):
                self.put(self.last)
        elif verb in "LM":
            self.scroll(self.y, -one if verb == "L" else one)
        elif verb == "r":
            self.top, self.bottom = one - 1, (n[1] if len(n) > 1 else LINES) - 1
            self.x = self.y = 0
        elif verb in "ST":
            self.scroll(self.top, one if verb == "S" else -one)
        else:
            raise ValueError(f"a terminal's {verb!r} is not known")
        self.y, self.x = max(0, min(self.y, LINES - 1)), max(0, min(self.x, COLUMNS - 1))

    def feed(self, text):
        text, self.held = self.held + text, ""
        at = 0
        while at < len(text):
            c = text[at]
            if c == "\x1b":
                m = SEQUENCE.match(text, at)
                if m is None and len(text) - at < 16:
                    self.held = text[at:]
                    return
                if m and m[3]:
                    self.control(m[1], m[2], m[3])
                elif m and m[0] == "\x1bM":
                    if self.y == self.top:
                        self.scroll(self.top, -1)
                    else:
                        self.y -= 1
                at = m.end() if m else at + 1
                continue
            at += 1
            if c == "\r":
                self.x = 0
            elif c == "\n":
                self.newline()
            elif c == "\b":
                self.x = max(self.x - 1, 0)
            elif c == "\t":
                self.x = min((self.x // 8 + 1) * 8, COLUMNS - 1)
            elif c >= " ":
                self.put(c)


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, argv, env, folder):
        self.screen, self.seen = Screen(), ""
        self.main, self.side = pty.openpty()
        fcntl.ioctl(self.side, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self.proc = subprocess.Popen(argv, env=env, cwd=folder, stdin=self.side, stdout=self.side,
                                     stderr=self.side, preexec_fn=self.take)
        self.settle()

    def take(self):
        # What a shell begins in the background ignores it, and so would emcli.
        for number in signal.SIGINT, signal.SIGQUIT, signal.SIGHUP:
            signal.signal(number, signal.SIG_DFL)
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def drain(self):
        """What came, put onto the screen; whether anything did."""
        some = False
        while select.select([self.main], [], [], 0)[0]:
            text = os.read(self.main, 65536).decode("utf-8", "backslashreplace")
            self.screen.feed(text)
            self.seen += text
            some = True
        return some

    def busy(self):
        if struct.unpack("i", fcntl.ioctl(self.side, termios.FIONREAD, b"\0" * 4))[0] > 0:
            return True
        pid = self.proc.pid
        try:
            with open(f"/proc/{pid}/stat") as f:
                state = f.read().rpartition(")")[2].split()[0]
            with open(f"/proc/{pid}/task/{pid}/children") as f:
                return state not in "SZ" or f.read().strip() != ""
        except OSError:
            return False

    def settle(self):
        end = time.monotonic() + DEADLINE_S
        quiet = 0
        while quiet < QUIET:
            if time.monotonic() > end:
                raise TimeoutError(f"the terminal is never quiet:\n{self.screen.text()}")
            over = self.proc.poll() is not None
            quiet = 0 if self.drain() or (not over and self.busy()) else quiet + 1
            if over and quiet:
                return
            time.sleep(LOOK_S)

    def send(self, text):
        """What is written may be on its way to the program for a while: nearly
        every key shows something, and until then it has not arrived."""
        if self.proc.poll() is not None:
            return
        os.write(self.main, text.encode())
        end = time.monotonic() + UNSEEN_S
        while not self.drain() and self.proc.poll() is None and time.monotonic() < end:
            time.sleep(LOOK_S)
        self.settle()

    def press(self, key):
        if key.startswith("C-"):
            self.send(chr(ord(key[2].upper()) & 0x1f))
        else:
            self.send(KEYS.get(key, key))
        if key == "Escape":
            time.sleep(ESCAPE_S)
            self.settle()

    def until(self, text):
        """Until what was seen ends so: a question counts from its colon on."""
        end = time.monotonic() + DEADLINE_S
        while not self.seen.endswith(text) and self.proc.poll() is None:
            if time.monotonic() > end:
                raise TimeoutError(f"the terminal never says {text!r}:\n{self.seen[-500:]}")
            self.drain()
            time.sleep(LOOK_S)

    def wait(self):
        end = time.monotonic() + DEADLINE_S
        while self.proc.poll() is None and time.monotonic() < end:
            self.drain()
            time.sleep(LOOK_S)

    def end(self):
        """The exit status; what still asks is told that nobody is there."""
        gave_up = False
        if self.proc.poll() is None:
            gave_up = True
            self.proc.kill()
        self.proc.wait()
        self.drain()
        os.close(self.main)
        os.close(self.side)
        return "killed: it still asked" if gave_up else self.proc.returncode
