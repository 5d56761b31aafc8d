# SPDX-License-Identifier: Apache-2.0
"""Every command there is, from the program's own help: help texts, usage errors, keys."""

import re
import subprocess

# What each operator's command needs to be understood, for the tries with
# wrong keys.  A command that is not here is tried as it is.
ENOUGH = {
    "key rotate": "--agent --generate",
    "key rewrap": "--dek",
    "store backup": "copy.db",
    "store copy": "--to other.db",
    "store restore": "copy.db",
    "account add": "x --backend maildir --path none --from a@b.example",
    "account edit": "work --mode RO",
    "account show": "work",
    "account remove": "work --yes",
    "account consent": "work --provider google --client-id x --no-browser",
    "account import": "accounts.yaml",
    "whitelist in add": "a@b.example",
    "whitelist in remove": "a@b.example",
    "whitelist out add": "a@b.example",
    "whitelist out remove": "a@b.example",
    "approve show": "1",
    "approve release": "1 --yes",
    "approve deny": "1",
    "freeze": "--agent bob --why test",
    "thaw": "--all",
    "canary add": "swordfish-42",
    "canary remove": "swordfish-42",
    "source set": "work --role primary",
    "source import": "project.md --check",
    "source explain": "read_thread",
    "agent add": "bob",
    "agent remove": "bob",
    "agent token": "bob",
    "policy apply": "policy.yaml --yes",
    "skill show": "mail-read",
    "skill validate": "none",
    "skill export": "skills",
    "mcp install": "--client claude --write --file mcp.json",
    "issuer set": "http://127.0.0.1:1 --resource http://127.0.0.1:2/mcp",
    "serve": "--socket /nonexistent/none/emcli.sock",  # where no broker can begin
    "model add": "small --url http://127.0.0.1:1/v1",
    "model remove": "small",
    "config set": "timeout_seconds 5",
    "config get": "timeout_seconds",
    "audit accept": "--yes",
    "unack": "--uid 1",
    "outbox show": "1",
    "outbox resolve": "1 --sent",
}

KEYS = ["nobody", "agent", "admin", "stranger", "outsider"]
ABOUT = ["help", "version", "schema", "completion", "manual"]
PARTS = ["operations", "commands", "agents", "pipes", "errors", "results", "warnings"]
COMMAND = re.compile(r"  ([a-z][a-z -]*) +[A-Z]")  # what it does begins with a capital
OPTION = re.compile(r"^  (?P<name>(?:--)?\S+)(?: (?P<value>[^( ]\S*))?(?: \.\.\.)?"
                    r"(?P<needed>  \(required\))?(?:  \((?P<bounds>[^)]*)\))?$")


class Option:
    def __init__(self, m):
        self.name, self.value = m["name"], m["value"]
        self.positional = not self.name.startswith("--")
        self.bounds = re.match(r"(\d+) to (\d+)", m["bounds"] or "")

    def wrong(self):
        """Values that no such option takes."""
        if self.value in ("N", "UID"):
            low, high = self.bounds.groups() if self.bounds else ("1", "4294967295")
            return ["x", "-1", "", str(int(low) - 1), str(int(high) + 1)]
        if self.value in ("DATE", "ADDRESS", "NAME", "FOLDER"):
            return ["", "x y\n", "@"]
        if self.value and "|" in self.value:
            return ["", "bogus", self.value.split("|")[0] + "x"]
        return [""]


class Commands:
    def __init__(self, binary):
        self.binary = binary
        self.operations, self.own, self.pipes, self.operator = [], [], [], []
        into = {"Operations": self.operations, "An agent's own mailbox": self.own,
                "With a model": self.pipes, "Operator commands": self.operator}
        here = None
        for line in self.text("help").splitlines():
            if not line.startswith(" "):
                here = next((v for k, v in into.items() if line.startswith(k)), None)
            elif here is not None and (m := COMMAND.match(line)):
                here.append(m[1].strip())
        assert self.operations and self.pipes and self.operator, "help names no commands"
        self.all = [*self.operations, *self.own, *self.pipes, *self.operator, "mcp"]

    def text(self, *argv):
        env = {"HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "COLUMNS": "80"}
        return subprocess.run([self.binary, *argv], env=env, check=True, text=True,
                              stdout=subprocess.PIPE, stdin=subprocess.DEVNULL).stdout

    def options(self, command):
        """Of the part between "options:" and the reply, which begin a line."""
        text = self.text("help", *command.split())
        part = re.search(r"^options:\n((?: .*\n)*)", text, re.M)
        lines = part[1].splitlines() if part else []
        return [Option(m) for line in lines if (m := OPTION.match(line))]


def helped(command):
    def scene(w):
        words = command.split()
        w.run("nobody", ["help", *words])
        w.run("nobody", [*words, "--help"])
        w.run("nobody", [*words, "-h"])
    return scene


def misused(commands, command):
    """Each way to say it wrong: nothing of it is to be done."""
    def scene(w):
        words = command.split()
        w.run("operator", [*words, "--bogus"])
        w.run("operator", [*words, "-x"])
        if command not in ("init", "ask"):  # that do something without a word more
            w.run("operator", words)
        w.run("operator", [*words, "stray", "stray", "stray"])
        options = commands.options(command)
        for o in options:
            if o.positional:
                w.run("operator", [*words, f"--{o.name.lower()}", "x"])
                continue
            if o.value is None:
                w.run("operator", [*words, o.name, o.name])
                w.run("operator", [*words, f"{o.name}=x"])
                continue
            w.run("operator", [*words, o.name])
            w.run("operator", [*words, o.name, "1", o.name, "1", "--bogus"])
            w.run("operator", [*words, f"{o.name[:-1]}", "x"])
            for bad in o.wrong():
                w.run("operator", [*words, f"{o.name}={bad}"])
    return scene


def locked(command):
    """With every set of keys but the operator's, and without a store."""
    def scene(w):
        words = command.split()
        enough = ENOUGH.get(command, "").split()
        for who in KEYS:
            w.run(who, [*words, *enough])
        w.run("nobody", [*words, "--bogus"])
        w.run("agent", [*words, "--bogus"])
        # Without the agents' key: of wrong admin keys a row a second is kept.
        w.run("nobody", [*words, *enough], EMCLI_ADMIN_KEY="short")
        w.run("operator", [*words, *enough], EMCLI_DB=str(w.home / "none" / "emcli.db"))
        w.run("operator", [*words, *enough], EMCLI_AGENT="a b")
        w.run("operator", [*words, *enough], EMCLI_ADMIN_KEY=None,
              EMCLI_ADMIN_KEY_FILE="/nonexistent/key")
    return scene


def called(command):
    """An operation with every set of keys."""
    def scene(w):
        words = command.split()
        for who in KEYS:
            w.run(who, words)
        w.run("agent", words, EMCLI_KEY="short")
        w.run("agent", words, EMCLI_DB=str(w.home / "none" / "emcli.db"))
        w.run("agent", words, EMCLI_AGENT="a b")
        w.run("bob", words)
        w.run("agent", [*words, "--json", "--bogus"])
    return scene


def top(commands):
    def scene(w):
        w.run("nobody", [])
        for argv in (["help"], ["--help"], ["-h"], ["version"], ["--version"], ["-V"],
                     ["help", "bogus"], ["bogus"], ["lits"], ["bogus", "--help"], ["completion"],
                     ["manual"], ["schema", "bogus"], ["schema", "list", "x"], ["completion", "x"],
                     ["manual", "x"], ["whitelist", "in", "bogus"], ["account", "ad"]):
            w.run("nobody", argv)
            w.run("operator", argv)
        families = {" ".join(c.split()[:n]) for c in commands.all for n in (1, 2)
                    if len(c.split()) > n}
        for words in sorted(families):
            for argv in (["help"] + words.split(), words.split(), [*words.split(), "--help"]):
                w.run("nobody", argv)
    return scene


def printed(*argvs):
    def scene(w):
        for argv in argvs:
            w.run("nobody", argv)
    return scene


def skills(commands):
    """Their texts, as they are shown and as files."""
    def scene(w):
        w.run("nobody", ["skill", "list"])
        w.run("nobody", ["skill", "list", "--json"])
        w.run("nobody", ["skill", "export", "out"])
        w.tree(w.home / "out")
    return scene


def scenes(commands):
    yield "help/top", top(commands), False
    yield "text/schema", printed(["schema"], *(["schema", o.replace("-", "_")]
                                               for o in commands.operations)), False
    for shell in "bash", "zsh", "fish":
        yield f"text/completion-{shell}", printed(["completion", shell]), False
    for part in PARTS:
        yield f"text/manual-{part}", printed(["manual", part]), False
    yield "text/skills", skills(commands), False
    for command in commands.all:
        name = command.replace(" ", "-")
        yield f"help/{name}", helped(command), False
        yield f"usage/{name}", misused(commands, command), True
        lock = locked if command in commands.operator else called
        if command != "mcp":
            yield f"keys/{name}", lock(command), True
