# SPDX-License-Identifier: Apache-2.0
"""
Claude Code, Codex and Gemini CLI, as their makers ship them, in homes that emcli built.
Each host lists both mailbox skills without an account with its vendor, and the text of
the role reaches the model, which is a scripted endpoint on loopback.  In a session in
tmux, the notifier types what the host submits, and the host's hooks say that it works
and that it waits.

The hosts are 1.1 GB, so ./check does not run this.  By hand:
python3 -m pytest -p no:cacheprovider tests/e2e/judges_homes.py
python3 tests/e2e/judges_homes.py     the versions, and what each host listed
"""

import json
import pathlib
import subprocess
import tempfile
import time

import pytest

import cli
import hosts
import hostmodel
from judges_hosts import install

# What a screen shows that waits for a person.
WAITS = {"claude": "❯", "codex": "Ask Codex", "gemini": "Type your message"}
OURS = {"houmao-agent-email-comms", "houmao-process-emails-via-gateway"}
ROLE = "You are ROLEMARK-1177, a writer."
CODEX = """model = "scripted"
model_provider = "loop"
[model_providers.loop]
name = "loop"
base_url = "{}/v1"
wire_api = "responses"
[analytics]
enabled = false
[projects."{}"]
trust_level = "trusted"
"""
GEMINI = {"security": {"auth": {"selectedType": "gemini-api-key"}},
          "privacy": {"usageStatisticsEnabled": False}, "ui": {"theme": "Default"}}


class Scene:
    """A home for one host, and a model for it."""

    def __init__(self, folder, tool):
        cli.sanitized = False
        self.folder, self.tool = pathlib.Path(folder), tool
        self.log = self.folder / "model.log"
        self.model = hostmodel.Server({}, log=self.log)
        self.emcli = cli.Emcli(self.folder / "emcli")
        self.emcli.init()
        self.work = self.folder / "work"
        self.work.mkdir()
        self.home = self.build()
        self.env = {**hosts.QUIET, "PATH": f"{hosts.NODE}:/usr/bin:/bin", "LC_ALL": "C.UTF-8",
                    "HOME": str(self.folder / "user"), self.variable: str(self.home),
                    "ANTHROPIC_BASE_URL": self.model.root, "ANTHROPIC_AUTH_TOKEN": "none",
                    "ANTHROPIC_MODEL": "claude-sonnet-4-5",
                    "GOOGLE_GEMINI_BASE_URL": self.model.root, "GEMINI_API_KEY": "none",
                    "GEMINI_MODEL": "gemini-2.5-flash", "GEMINI_CLI_TRUST_WORKSPACE": "true"}
        (self.folder / "user").mkdir()

    def build(self):
        setup = self.folder / "setup"
        (setup / ".gemini").mkdir(parents=True)
        if self.tool == "codex":
            (setup / "config.toml").write_text(CODEX.format(self.model.root, self.work))
        if self.tool == "claude":
            (setup / ".claude.json").write_text(json.dumps({
                "hasCompletedOnboarding": True, "theme": "dark",
                "projects": {str(self.work): {"hasTrustDialogAccepted": True}}}))
        if self.tool == "gemini":
            (setup / ".gemini/settings.json").write_text(json.dumps(GEMINI))
        (self.folder / "role.md").write_text(ROLE)
        r = self.emcli.call(
            ["home", "build", "--tool", self.tool, "--agent", "writer", "--role", "writer",
             "--role-file", self.folder / "role.md", "--setup", setup, "--runtime-root",
             self.folder / "rt", "--mailbox-transport", "filesystem", "--json"],
            self.emcli.environment(), None, 60)
        assert r.rc == 0, str(r)
        self.variable = r.json["launch"]["env_var"]
        return pathlib.Path(r.json["home_path"])

    def argv(self, *more):
        return [str(hosts.HOSTS / "node_modules/.bin" / self.tool), *more]

    def run(self, *more):
        r = subprocess.run(self.argv(*more), env=self.env, cwd=self.work, timeout=180,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT)
        return r.stdout.decode(errors="replace")

    def version(self):
        return self.run("--version").strip().splitlines()[-1]

    def listed(self):
        """The names of the skills that the host says it has."""
        return getattr(self, "listed_" + self.tool)()

    def listed_gemini(self):
        out = self.run("skills", "list")
        return {line.split()[0] for line in out.splitlines() if "[Enabled]" in line}

    def listed_codex(self):
        rpc = hosts.Rpc(lambda *_: {"result": {}}, self.argv("app-server"), self.env, self.work,
                        self.folder / "host.log")
        rpc.version = {}
        try:
            self.begin(rpc)
            found = rpc.call("skills/list", cwds=[str(self.work)])["data"][0]["skills"]
        finally:
            rpc.end()
        return {s["name"] for s in found if s["enabled"]}

    def listed_claude(self):
        out = self.run("-p", "Hello.", "--output-format", "stream-json", "--verbose")
        first = json.loads(next(line for line in out.splitlines() if line.startswith("{")))
        assert first["subtype"] == "init", first
        return set(first["skills"])

    @staticmethod
    def begin(rpc):
        rpc.call("initialize", clientInfo={"name": "tests", "version": "1"},
                 capabilities={"experimentalApi": True})
        rpc.write({"method": "initialized"})

    def speak(self):
        """One turn; what the model was sent."""
        if self.tool == "codex":
            rpc = hosts.Rpc(lambda *_: {"result": {}}, self.argv("app-server"), self.env,
                            self.work, self.folder / "host.log")
            rpc.version = {}
            try:
                self.begin(rpc)
                thread = rpc.call("thread/start", cwd=str(self.work))["thread"]["id"]
                rpc.call("turn/start", until="turn/completed", threadId=thread,
                         input=[{"type": "text", "text": "Hello."}])
            finally:
                rpc.end()
        else:
            self.run("-p", "Hello.")
        return self.log.read_text()

    def told(self):
        """Its session is told of a letter: what its hooks said since, and what the model read."""
        env = {**self.env, "PATH": f"{hosts.HOSTS}/node_modules/.bin:{hosts.NODE}:/usr/bin:/bin",
               "TMUX_TMPDIR": str(self.folder), "TERM": "xterm-256color",
               "HOUMAO_GLOBAL_RUNTIME_DIR": str(self.folder / "rt")}
        del env["CI"]  # Gemini CLI shows no terminal with it

        def good(*argv):
            r = self.emcli.admin(*argv, env=env)
            assert r.rc == 0, str(r)
            return r.json

        def screen():
            return subprocess.run(["tmux", "capture-pane", "-p", "-t", at["tmux_session_name"]],
                                  env=env, capture_output=True, text=True).stdout

        def until(what, seconds=120):
            end = time.monotonic() + seconds
            while not what():
                assert time.monotonic() < end, screen()
                time.sleep(0.1)

        def says():
            path = pathlib.Path(at["session_root"], "activity.json")
            state = json.loads(path.read_text())["state"] if path.exists() else None
            if not said or said[-1] != state:
                said.append(state)
            return state

        said = []
        at = good("session", "start", "--home", self.home.name, "--workdir", str(self.work),
                  "--json")
        agent = ["--agent-name", "writer"]
        try:
            until(lambda: WAITS[self.tool] in screen())
            good("gateway", "notifier", "on", *agent, "--interval", "2", "--json")
            good("agents", "mail", "post", *agent, "--subject", "S", "--body-content",
                 "PLANTED-1178", "--print-json")
            until(lambda: says() == "idle" and "busy" in said)
            assert "it has unread mail" in self.log.read_text()
            assert "PLANTED-1178" not in self.log.read_text()
        finally:
            self.emcli.admin("session", "stop", *agent, env=env)
        return said


@pytest.fixture(scope="session")
def installed():
    install("hosts")


@pytest.mark.parametrize("tool", ["claude", "codex", "gemini"])
def test_a_host_lists_both_skills_and_reads_the_role(installed, tmp_path, tool):
    scene = Scene(tmp_path, tool)
    try:
        assert OURS <= scene.listed()
        assert "ROLEMARK-1177" in scene.speak()
        scene.log.write_text("")
        assert scene.told()[-2:] == ["busy", "idle"]
    finally:
        scene.model.stop()


def main():
    install("hosts")
    for tool in "claude", "codex", "gemini":
        scene = Scene(tempfile.mkdtemp(prefix=f"home-{tool}-"), tool)
        listed = scene.listed()
        print(json.dumps({"host": tool, "version": scene.version(), "listed": sorted(listed),
                          "role": "ROLEMARK-1177" in scene.speak(),
                          "hooks": scene.told()}), flush=True)
        scene.model.stop()


if __name__ == "__main__":
    main()
