# SPDX-License-Identifier: Apache-2.0
"""
Claude Code, Codex, Gemini CLI and OpenClaw, as their makers ship them, each told of emcli as its page
in doc/hosts says: the commands are run as they stand there, in an empty home.  Before that
the host's own check takes what tools/bundles made; after it the host lists plugin, skills
and server, and goes through the main job with the scripted model of judges_hosts.py.
Claude Code does so with the .mcpb bundle, too, as a part of the plugin.

The hosts are 1.8 GB, so only ./check hosts runs this.
"""

import json
import os
import re
import shutil
import subprocess

import pytest

import bundled
import cli
import hosts
import judges_hosts

made = {}   # the bundles, and the skills in them


class Bundle:
    """The operator's shell: emcli and the host are in PATH, the store is where emcli looks."""

    form = None       # the bundle's folder, if it has not the host's name
    speaks = False    # does it tell emcli, by a hook, that its user's turn begins?
    instructs = True  # does the model see what the server says of itself?

    def install(self, tap, more):
        tools = self.cwd / "tools"
        tools.mkdir()
        # The page makes them first; here they are made once for all.
        (tools / "bundles").symlink_to("/bin/true")
        shutil.copytree(made["folder"], self.cwd / "build/bundles")
        (self.home / ".config").mkdir(exist_ok=True)
        os.symlink(self.emcli.db.parent, self.home / ".config/emcli")
        self.wrap()
        self.env["PATH"] = f"{self.folder}:{self.there}/node_modules/.bin:{self.env['PATH']}"
        self.prepare(self.cwd / "build/bundles" / (self.form or self.client))
        for line in self.page():
            self.said = self.good(line)
        if not isinstance(self, Codex):
            del self.env["EMCLI_KEY"]   # the host has it

    def page(self):
        text = (cli.ROOT / f"doc/hosts/{self.client}.md").read_text()
        return [line.strip() for line in re.search(r"\n\n((?:    [^\n]+\n)+)", text)[1].splitlines()]

    def good(self, line):
        """Whoever is asked for the key types it."""
        r = subprocess.run(["/bin/sh", "-c", line], env=self.env, cwd=self.cwd, timeout=90, text=True,
                           input=self.emcli.agent_key + "\n", stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT)
        with open(self.log, "a") as log:
            log.write(r.stdout)
        assert r.returncode == 0, (line, r.stdout)
        return r.stdout


class Claude(Bundle, hosts.Claude):
    server = "mcp__plugin_emcli_emcli"
    speaks = True

    def prepare(self, folder):
        self.good(f"claude plugin validate --strict {folder}")
        self.good(f"claude plugin validate --strict {folder}/emcli")

    def listed(self):
        [plugin] = json.loads(self.good("claude plugin list --json"))
        assert plugin["id"] == "emcli@emcli" and plugin["enabled"]
        details = self.good("claude plugin details emcli@emcli")
        assert all(skill in details for skill in made["skills"])
        assert "plugin:emcli:emcli: emcli mcp - ✔ Connected" in self.said


class ClaudeMcpb(Claude):
    """The server is the archive, and so it is the one that asks for the key."""

    def prepare(self, folder):
        [archive] = folder.parent.glob("*.mcpb")
        shutil.copy(archive, folder / "emcli/emcli.mcpb")
        (folder / "emcli/.mcp.json").unlink()
        manifest = folder / "emcli/.claude-plugin/plugin.json"
        plugin = {**json.loads(manifest.read_text()), "mcpServers": "./emcli.mcpb"}
        self.speaks = False   # nothing gives the plugin's hook the key
        del plugin["userConfig"]
        manifest.write_text(json.dumps(plugin))
        super().prepare(folder)

    def page(self):
        return [f"claude plugin marketplace add ./build/bundles/{self.client}",
                'claude plugin install emcli@emcli --config EMCLI_KEY="$EMCLI_KEY"',
                "claude mcp list"]

    def listed(self):
        assert "/server/emcli mcp - ✔ Connected" in self.said


class Codex(Bundle, hosts.Codex):
    def prepare(self, folder):
        """It has no command for that."""

    def listed(self):
        said = self.good("codex plugin list --json")   # behind a warning about its home
        [plugin] = json.loads(said[said.index("{"):])["installed"]
        assert plugin["pluginId"] == "emcli@emcli" and plugin["enabled"]
        assert re.search(r"^emcli +emcli +mcp +EMCLI_KEY=\*+ .* enabled", self.said, re.M)
        rpc = hosts.Rpc(self.answer, self.argv("app-server"), self.env, self.cwd, self.log)
        rpc.version = {}
        try:
            rpc.call("initialize", clientInfo={"name": "tests", "version": "1"},
                     capabilities={"experimentalApi": True})
            rpc.write({"method": "initialized"})
            found = rpc.call("skills/list", cwds=[str(self.cwd)])["data"][0]["skills"]
            assert {f"emcli:{s}" for s in made["skills"]} <= {s["name"] for s in found}
            [server] = [s for s in rpc.call("mcpServerStatus/list")["data"] if s["name"] == "emcli"]
            assert "load_skill" in server["tools"]
        finally:
            rpc.end()


class Gemini(Bundle, hosts.Gemini):
    def prepare(self, folder):
        self.good(f"gemini extensions validate {folder}")

    def listed(self):
        said = self.good("gemini extensions list")
        assert all(f"  {skill}:" in said for skill in made["skills"])
        assert "Agent key: ***" in said
        assert "✓ emcli" in self.said


class OpenClaw(Bundle, hosts.OpenClaw):
    form, instructs = "agent", False

    def install(self, tap, more):
        super().install(tap, more)
        self.put_tap(self.home / ".openclaw/openclaw.json")   # what was written names the program

    def prepare(self, folder):
        """It checks a bundle when it installs it."""
        self.env["EMCLI_ADMIN_KEY"] = self.emcli.admin_key

    def listed(self):
        [plugin] = [p for p in json.loads(self.good("openclaw plugins list --json 2>/dev/null"))["plugins"]
                    if p["id"] == "emcli"]
        assert (plugin["bundleFormat"], plugin["status"]) == ("agent", "loaded")
        found = json.loads(self.good("openclaw skills list --json 2>/dev/null"))["skills"]
        assert set(made["skills"]) <= {s["name"] for s in found if s["eligible"]}
        assert "emcli: ok" in self.said


@pytest.fixture(scope="session")
def bundles(tmp_path_factory):
    for which in "hosts", "openclaw":
        judges_hosts.install(which)
    folder = tmp_path_factory.mktemp("bundles")
    made["folder"] = bundled.publish(folder / "made", bundled.static(folder / "static"))
    made["skills"] = sorted(p.name for p in (folder / "made/gemini/skills").iterdir())


@pytest.mark.parametrize("host", [Claude, ClaudeMcpb, Codex, Gemini, OpenClaw], ids=lambda h: h.__name__)
def test_a_host_is_told_as_its_page_says_and_goes_the_whole_way(bundles, host, tmp_path):
    scene = judges_hosts.Scene(tmp_path, host)
    scene.host.listed()
    seen = scene.run()
    row = judges_hosts.check(seen)
    # What each skill is for reaches the model by itself, and where the host says so, what the
    # server says of itself.
    told = (tmp_path / "model.log").read_text()
    assert ("gate that applies the operator's policy" in told) == host.instructs
    assert "Use this skill when the user asks about their e-mail" in told
    # What the pages say of a turn's end.
    ended = [r["detail"] for r in scene.emcli.admin("audit", "list", "--json").json["audit"]
             if r["action"] == "unload_skill"]
    assert bool(ended) == scene.host.speaks and all("mail-read" in d for d in ended), ended
    assert row["next_turn"] == ("ran" if host is Gemini else "refused")
    for path in scene.host.home.rglob("*"):
        if path.is_file() and path.name not in (".credentials.json", ".env"):
            assert scene.emcli.agent_key.encode() not in path.read_bytes(), path
