# SPDX-License-Identifier: Apache-2.0
"""
Twelve agent hosts as their makers ship them, each through two turns of one
session with a scripted model on loopback: list, load, read; the next turn, what
is refused in it, a send to a stranger, a send that waits for a yes.  What was
seen of them is in doc/hosts.md.

Nine of them are 3 GB, so not among the tests that ./check runs (test_hosts.py
has the three that are small).  By hand:
python3 -m pytest -p no:cacheprovider tests/e2e/judges_hosts.py
python3 tests/e2e/judges_hosts.py [HOST...]     the table, in JSON by lines
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import pytest

import cli
import hosts
import hostmodel
import servers
from mail import message

LARGE = [hosts.Claude, hosts.Codex, hosts.Gemini, hosts.OpenClaw, hosts.Qwen, hosts.OpenCode,
         hosts.Copilot, hosts.Cline, hosts.Continue]
SMALL = [hosts.LangChain, hosts.OpenAi, hosts.AiSdk]
MARK = "BODYMARK-7731"
PROMPTS = ["TURN-1 What is new in my mail? Read it to me.", "TURN-2 Answer it, please."]
READ = ("list", "get", "search")


def lease(results):
    return {"lease": hostmodel.lease(results)}


def send(to):
    return lambda results: {"to": [to], "subject": "plan", "body": "Yes, on Monday.\n",
                            **lease(results)}


SCRIPT = {
    "TURN-1": [("list_skills", {}), ("load_skill", {"skill": "mail-read"}),
               ("list", lambda r: {"folder": "INBOX", **lease(r)}),
               ("get", lambda r: {"folder": "INBOX", "uid": 1, **lease(r)})],
    # What was loaded for the last turn is tried first.
    "TURN-2": [("list", {"folder": "INBOX"}), ("load_skill", {"skill": "mail-send"}),
               ("send", send("mallory@stranger.example")), ("send", send("bob@lab.example"))],
}


class Scene:
    """emcli with a mailbox whose mail goes to bob alone, and waits for a yes."""

    script, says = SCRIPT, {}
    letter = {"sender": "bob@lab.example", "subject": "plan", "body": MARK + " Monday?\r\n"}

    def __init__(self, folder, host):
        cli.sanitized = False
        self.folder = pathlib.Path(folder)
        self.emcli = cli.Emcli(self.folder / "emcli")
        self.emcli.init()
        self.site = self.folder / "site"
        for user in servers.USERS:
            for half in "cur", "new", "tmp":
                (self.site / servers.address(user) / half).mkdir(parents=True)
        self.deliver(message(**self.letter))
        self.emcli.account_maildir(self.site, process_backlog=True, outbound="approve",
                                   whitelist_out="on")
        self.emcli.whitelist("out", "bob@lab.example")
        self.emcli.setting("mcp_approve", "client")
        self.model = hostmodel.Server(self.script, self.folder / "model.log", self.says)
        self.host = host(self.folder / "host", self.emcli, self.model)

    def deliver(self, raw):
        path = self.site / servers.address("agent") / "new" / "1782000001.M1P1.lab"
        path.write_bytes(raw)

    def run(self):
        try:
            self.host.run(PROMPTS)
        finally:
            self.host.sweep()
            self.model.stop()
        return Seen(self)


class Seen:
    """What a host did, and what its model saw of it."""

    def __init__(self, scene):
        self.scene, self.host = scene, scene.host
        self.views, self.unseen = scene.model.seen, scene.model.unseen
        self.taps = scene.host.taps()

    def result(self, turn, n):
        """What the model was told of its nth step of a turn."""
        for view in reversed(self.views):
            if view.turn != turn:
                continue
            ours = self.own(view)
            return ours[n] if n < len(ours) else ""
        return ""

    @staticmethod
    def own(view):
        """Results of our tools, without those of a host's search for tools."""
        out, wait = [], []
        for kind, name, text in view.since:
            if kind == "call":
                wait.append(name)
            elif kind == "result" and wait:
                name = wait.pop(0)
                if "earch" not in name:
                    out.append(text)
        return out

    def client(self):
        """(name, version, revision) as the host says it of itself."""
        for _, side, m in self.taps:
            params = m.get("params", {})
            info = params.get("clientInfo")
            meta = params.get("_meta") or {}
            revision = params.get("protocolVersion")
            if info is None:
                info = meta.get("io.modelcontextprotocol/clientInfo")
                revision = meta.get("io.modelcontextprotocol/protocolVersion")
            if side == "host" and info:
                return info["name"], info.get("version", ""), revision
        return "", "", ""

    def listed(self):
        """How often it asked for tools, in its first session."""
        begun = [i for i, (_, s, m) in enumerate(self.taps)
                 if s == "host" and m.get("method") in ("initialize", "server/discover")]
        last = begun[1] if len(begun) > 1 else len(self.taps)
        return sum(1 for _, s, m in self.taps[:last] if s == "host" and
                   m.get("method") == "tools/list")

    def offered(self):
        """All mail tools from the start, or only once their skill was loaded?"""
        for _, side, m in self.taps:
            if side == "emcli" and "tools" in m.get("result", {}):
                names = [t["name"] for t in m["result"]["tools"]]
                return "all" if any(n.endswith("search") for n in names) else "filter"
        return ""

    def fenced(self):
        """Is the mail there once, between the fence's lines?"""
        text = self.result("TURN-1", 3)
        fence = re.search(r"end ([0-9a-f]{32})", text)
        if text.count(MARK) != 1 or not fence:
            return False
        at = [m.start() for m in re.finditer(fence[1], text)]
        return at[0] < text.index(MARK) < at[-1]

    def stale(self):
        """What a call without its load got in the next turn."""
        text = self.result("TURN-2", 0)
        return "refused" if re.search("skill_(not_active|expired)", text) else \
            "ran" if "messages" in text else "?"

    def row(self):
        name, version, revision = self.client()
        return {"host": type(self.host).__name__, "client": name, "says": version,
                "revision": revision, "mode": self.offered(), "listed": self.listed(),
                "unseen": self.unseen, "read": MARK in self.result("TURN-1", 3),
                "fenced": self.fenced(), "next_turn": self.stale(),
                "stranger": "whitelist_out" in self.result("TURN-2", 2),
                "asked": len(self.host.asked), "waits": self.waits(), "sent": self.sent()}

    def waits(self):
        r = self.scene.emcli.admin("approve", "list", "--json")
        return len(r.json["held"])

    def sent(self):
        return len([p for p in self.scene.site.glob("bob@lab.example/new/*")])


def check(seen):
    """What every host must do, however it is made."""
    row = seen.row()
    assert not seen.unseen, row
    assert row["read"] and row["fenced"], (row, seen.result("TURN-1", 3)[:2000])
    assert row["next_turn"] in ("refused", "ran"), row
    assert row["stranger"], (row, seen.result("TURN-2", 2)[:2000])
    # Whoever was asked said yes; else the message waits for the operator.
    assert (row["sent"], row["waits"]) == ((1, 0) if row["asked"] else (0, 1)), row
    for line in seen.scene.folder.glob("model.log"):
        assert seen.scene.emcli.agent_key not in line.read_text()
    return row


def install(which):
    r = subprocess.run([cli.ROOT / "tests/e2e/npm/install", which], stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=900)
    assert r.returncode == 0, r.stdout.decode(errors="replace")[-2000:]


@pytest.fixture(scope="session")
def large():
    for which in "hosts", "openclaw", "others", "agents":
        install(which)


@pytest.mark.parametrize("host", LARGE + SMALL, ids=lambda h: h.__name__)
def test_a_host_goes_the_whole_way(large, host, tmp_path):
    check(Scene(tmp_path, host).run())


def main(names):
    for which in "hosts", "openclaw", "others", "agents":
        install(which)
    for host in LARGE + SMALL:
        if names and host.__name__ not in names:
            continue
        folder = tempfile.mkdtemp(prefix=f"host-{host.__name__}-")
        try:
            row = Scene(folder, host).run().row()
        except Exception as e:  # what a host does is anybody's guess
            row = {"host": host.__name__, "failed": repr(e)[:300]}
        print(json.dumps({**row, "folder": folder}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
