# SPDX-License-Identifier: Apache-2.0
"""
The language of scenes/*.txt: a line is a call, or makes something for one.

  operator ARGS...      emcli ARGS with both keys
  admin, agent, nobody, stranger, outsider ARGS...
                        with other keys: world.py, WHO
  as NAME ARGS...       with the agents' key, as the agent NAME
  stdin TEXT            what the next call reads; \\n ends a line
  env NAME=VALUE        for the next call; NAME= takes it away
  mail FOLDER FILE      delivers FILE of mail/ to the Maildir FOLDER
  maildir FOLDER        makes one
  file PATH TEXT        writes TEXT into PATH
  copy FILE PATH        copies FILE of mail/
  mode PATH OCTAL       changes a file's mode
  pause SECONDS         of the tries with wrong keys a row a second is kept
  sql TEXT              changes the database behind the program's back
  remove PATH           removes a file
  reset                 takes the store away
  tree PATH             all files below a folder, with their bytes
  tables                all rows of the database
  terminal WHO ARGS...  the call at a terminal, until "end"
  type TEXT             a line that is typed there, with Enter
  answer TEXT           the same, once a question was asked: after ": "; the
                        TEXT word is the word that the question names
  press KEY...          keys: Enter, Down, C-u ... or letters; terminal.py, KEYS
  shot                  what is on the terminal's screen
  tour                  a shot for each field of a page: what it says of itself
  visit                 gives consent at the address that the terminal shows
  wait                  until the program at the terminal has ended
  serve PATH TEXT       answers so at http://127.0.0.1:$PORT/PATH; a TEXT that
                        begins with "data:" is a stream
  end                   waits for the program; all of it that was seen, or with
                        "end screens" nothing more than the shots

Words are a shell's.  $HOME is the folder of the scene, $KEY, $ADMIN_KEY and
$WRONG_KEY are keys, and $member is the newest value of that member in what a
call replied.  \\u0456 is that character.
"""

import itertools
import pathlib
import re
import shlex
import shutil
import sqlite3
import time
import urllib.parse
import urllib.request

import terminal
import web
import world

HERE = pathlib.Path(__file__).resolve().parent
CLOCK = 1560000000


def split(text):
    """A shell's words; a backslash is none but in what "file" and "stdin" write."""
    words = shlex.shlex(text, posix=True)
    words.whitespace_split, words.escape = True, ""
    return list(words)


class Script:
    def __init__(self, w):
        self.w = w
        self.stdin = b""
        self.env = {}
        self.delivered = 0
        self.web = None

    def expand(self, word):
        known = {"HOME": str(self.w.home), "KEY": world.AGENT_KEY,
                 "ADMIN_KEY": world.ADMIN_KEY, "WRONG_KEY": world.WRONG_KEY, **self.w.values}
        word = re.sub(r"\\u([0-9a-f]{4})", lambda m: chr(int(m[1], 16)), word)
        return re.sub(r"\$(\w+)", lambda m: known.get(m[1], m[0]), word)

    def path(self, name):
        path = self.w.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def do_maildir(self, folder):
        for half in "cur", "new", "tmp":
            (self.path(folder) / half).mkdir(parents=True, exist_ok=True)

    def do_mail(self, folder, name):
        self.do_maildir(folder)
        self.delivered += 1
        to = self.path(folder) / "new" / f"{CLOCK + self.delivered}.M1P1.lab"
        shutil.copy(HERE / "mail" / name, to)

    def do_copy(self, name, path):
        shutil.copy(HERE / "mail" / name, self.path(path))

    def do_file(self, path, text=""):
        self.path(path).write_text(text.encode().decode("unicode_escape"))
        self.path(path).chmod(0o600)

    def do_mode(self, path, octal):
        self.path(path).chmod(int(octal, 8))

    def do_remove(self, path):
        self.path(path).unlink()

    def do_reset(self):
        shutil.rmtree(self.w.db.parent)
        self.w.rows = 0

    def do_stdin(self, text):
        self.stdin = text.encode().decode("unicode_escape").encode()

    def do_env(self, given):
        name, _, text = given.partition("=")
        self.env[name] = text or None

    def do_pause(self, seconds):
        time.sleep(float(seconds))

    def do_sql(self, text):
        with sqlite3.connect(self.w.db) as db:
            db.execute(text)
        db.close()
        self.w.say(f"sql {text}\n\n")

    def do_tree(self, folder):
        self.w.tree(self.path(folder))

    def do_tables(self):
        self.w.tables()

    def do_terminal(self, who, *argv):
        env = {"TERM": "dumb", **self.env}
        self.env = {}
        line = " ".join([who + "$", *(f"{k}={v}" for k, v in env.items()), "emcli",
                         shlex.join(argv)])
        self.w.say(self.w.fixed(f"{line} # at a terminal") + "\n")
        self.terminal = terminal.Terminal([self.w.binary, *argv],
                                          self.w.environment(who, **env), self.w.home)
        self.by_lines = env["TERM"] != "xterm"

    def do_type(self, text=""):
        """Without forms each question ends so, and what comes sooner is lost."""
        if self.by_lines:
            self.terminal.until(": ")
        self.terminal.send(text + "\r")

    def do_answer(self, text):
        self.terminal.until(": ")
        if text == "word":
            text = re.search(r"type (\w{6});", self.terminal.seen)[1]
        self.terminal.send(text + "\r")

    def do_press(self, *keys):
        # Letters side by side go together, for it takes a while to settle.
        for word, run in itertools.groupby(keys, lambda key: len(key) == 1):
            for key in ["".join(run)] if word else run:
                self.terminal.press(key)

    def do_shot(self):
        shown = self.w.fixed(self.terminal.screen.text())
        self.w.say("-- screen\n" + "".join(f"|{line}\n" for line in shown.splitlines()))

    def do_tour(self):
        seen = set()
        while (here := (self.terminal.screen.text(), self.terminal.screen.y)) not in seen:
            seen.add(here)
            self.do_shot()
            self.terminal.press("Tab")

    def do_visit(self):
        self.terminal.until("Waiting ...\r\n")
        shown = re.search(r"https?://\S+redirect_uri=\S+", self.terminal.seen)[0]
        asked = urllib.parse.parse_qs(urllib.parse.urlsplit(shown).query)
        back = f"{asked['redirect_uri'][0]}?code=abc&state={asked['state'][0]}"
        with urllib.request.urlopen(back, timeout=world.DEADLINE_S) as r:
            page = r.read()
        self.w.say(self.w.block("page", page))

    def do_wait(self):
        self.terminal.wait()

    def do_serve(self, path, text):
        if self.web is None:
            self.web = web.Web()
            self.w.values["PORT"] = str(self.web.port)
            self.w.known.append((f":{self.web.port}", ":<port>"))
        self.web.pages[path] = self.expand(text.encode().decode("unicode_escape"))

    def do_end(self, what=""):
        status = self.terminal.end()
        self.w.say(f"-- status {status}\n")
        if what != "screens":
            self.w.say(self.w.block("seen", self.terminal.seen.replace("\r\n", "\n").encode()))
        self.w.say(self.w.audited() + "\n")

    def line(self, text):
        verb, *rest = [self.expand(word) for word in split(text)]
        if verb == "as":
            verb, *rest = rest
        elif hasattr(self, f"do_{verb}"):
            getattr(self, f"do_{verb}")(*rest)
            return
        elif verb not in world.WHO:
            raise ValueError(f"unknown word {verb}")
        self.w.run(verb, rest, self.stdin, **self.env)
        self.stdin, self.env = b"", {}

    def play(self, path):
        for n, text in enumerate(path.read_text().splitlines(), 1):
            if not text.strip() or text.startswith("#"):
                continue
            try:
                self.line(text)
            except Exception as e:
                raise RuntimeError(f"{path.name}:{n}: {e}") from e
        if self.web is not None:
            self.web.stop()
