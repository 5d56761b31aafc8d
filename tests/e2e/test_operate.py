# SPDX-License-Identifier: Apache-2.0
"""The operator's commands, at every door of the agents'."""

import json
import re

import jsonschema
import pytest

import level
from loop import FORMATS, Loop
from modeld import Server as Model
from test_ask import Asker
from test_mcp import MODERN, Host, work  # noqa: F401
from test_mcp_http import Client, Server, token

SAYS = b"emcli: this command requires EMCLI_ADMIN_KEY (admin privilege)\n"

# Agents have an operation of this name; what each of the two may, test_undo tries.
SHARED = {"undo"}
# What touches no store wants no key, and freeze is for who has none.
KEYLESS = {"key generate", "account providers", "freeze", "skill list", "skill show",
           "skill validate", "skill cost", "mcp install", "home build", "home list", "home show",
           "session hook", "session pane", "serve", "serve install", "serve status", "health",
           "store roles"}


def commands(emcli):
    """All of the operator's, as the help has them."""
    text = emcli.run("help").out.decode()
    part = text.split("Operator commands", 1)[1].split("\n\n", 1)[0]
    found = re.findall(r"^  ([a-z]+(?: [a-z]+)*) +[A-Z]", part, re.M)
    assert len(found) > 50 and KEYLESS | SHARED < set(found)
    return [c for c in found if c not in SHARED]


def spellings(emcli):
    """As a model would guess each of them."""
    out = []
    for command in commands(emcli):
        words = command.split()
        out += [command, "_".join(words), "-".join(words), ".".join(words),
                words[0] + "".join(w.capitalize() for w in words[1:]),
                "desk_" + "_".join(words), "desk." + "_".join(words),
                "emcli_" + "_".join(words), "emcli " + command, command.upper()]
    return list(dict.fromkeys(out))


def rows(emcli, principal):
    got = emcli.set_up("audit", "list", "--json", "--principal", principal, "--limit", "1000")
    return json.loads(got.out)["audit"]


class Watched:
    """What the operator did is what was on record before the test."""

    def __init__(self, emcli):
        self.emcli, self.before = emcli, rows(emcli, "operator")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        assert rows(self.emcli, "operator") == self.before


def test_the_command_line_refuses_and_remembers(work):  # noqa: F811
    tried = [c for c in commands(work) if c not in KEYLESS]
    # `undo` alone is an agent's, too: where a broker serves it, the level adds a user for it.
    work.run("undo")
    before = {row["id"] for row in rows(work, "agent")}
    with Watched(work):
        for command in tried:
            r = work.run(*command.split())
            assert r.rc == 1 and r.out == b"" and r.err == SAYS, str(r)
    attempts = [row for row in rows(work, "agent") if row["id"] not in before]
    if level.name == "broker":
        # They begin like an agent's operation: its client refuses them, and has no log.
        tried = [c for c in tried if not c.startswith("changes ")]
    assert {row["action"] for row in attempts} == {c.replace(" ", ".") for c in tried}
    assert {row["result"] for row in attempts} == {"blocked"}


@pytest.mark.parametrize("keys", ["the agents", "both"])
def test_a_host_finds_no_such_tool(work, keys):  # noqa: F811
    env = {"EMCLI_ADMIN_KEY": work.admin_key} if keys == "both" else {}
    names = spellings(work)
    host = Host(work, revision=MODERN, env=env)
    try:
        with Watched(work):
            assert not set(names) & {t["name"] for t in host.tools()}
            for name in names[::3]:
                got = host.ask("tools/call", name=name, arguments={})
                assert got["error"]["code"] == -32602, (name, got)
    finally:
        host.proc.kill()
        host.proc.wait()


def test_no_token_opens_one(work):  # noqa: F811
    bot = token(work)
    server = Server(work)
    try:
        with Watched(work):
            client = Client(server, bot)
            for name in spellings(work)[::7]:
                status, _, got = client.post("tools/call", {"name": name, "arguments": {}})
                assert got["error"]["code"] == -32602, (name, status, got)
    finally:
        server.end()


PROFILES = {"skills": [], "nova": ["--profile", "nova", "--conversation", "k"]}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("form", FORMATS)
def test_a_pipe_leaves_them_to_whoever_has_them(work, form, profile):  # noqa: F811
    """What is no tool of emcli's is not its to run."""
    names = spellings(work)
    loop = Loop(work, form, *PROFILES[profile]).user()
    with Watched(work):
        assert not set(names) & set(loop.names())
        assert loop.call(*[(f"c{i}", name, {}) for i, name in enumerate(names)]).run() == {}


def test_a_model_that_is_asked_runs_none(work, tmp_path):  # noqa: F811
    model = Model()
    try:
        asker = Asker(work, model, tmp_path)
        with Watched(work):
            names = spellings(work)
            # A model may call 64 tools at once.
            steps = [[(name, {}) for name in names[i:i + 64]] for i in range(0, len(names), 64)]
            r = asker(*steps, "done", options=["--max-steps", str(len(steps) + 1)])
            assert r.rc == 0, str(r)
            told = asker.results()
        assert len(told) == sum(map(len, steps))
        assert all("there is no tool" in one for one in told), told
    finally:
        model.stop()


def test_the_log_tells_all_that_a_token_opens(work, site):  # noqa: F811
    """Of several accounts the row's column has room for one."""
    work.account_maildir(site.path, name="home")
    work.set_up("agent", "add", "bot", "--account", "work", "--account", "home", "--op", "list")
    row = rows(work, "operator")[0]
    assert (row["action"], row["account"], row["target"]) == ("agent.add", "work", "bot op")
    assert row["detail"] == "accounts: work home; skills: all; ops: list"


# -- what --json gives is what `emcli schema` says ----------------------------


SHOWN = ["account list", "account show work", "whitelist in list", "whitelist out list",
         "approve list", "canary list", "agent list", "model list", "audit list", "audit verify",
         "audit accept", "outbox list", "mcp install --client claude",
         "whitelist in on", "whitelist out off", "whitelist in add x@lab.example",
         "whitelist out remove @lab.example", "canary add longenough", "canary remove planted-word",
         "agent remove bot", "model remove m", "freeze --agent me", "thaw --agent bot",
         "thaw --all", "config set timeout_seconds 030", "config get timeout_seconds",
         "config get skills", "config list", "skill cost", "key rewrap --dek",
         "store check", "store roles",
         "model add n --url https://m.example/v1", "account remove work --yes"]


@pytest.fixture
def full(work):  # noqa: F811
    """Something of everything."""
    for argv in (["agent", "add", "bot", "--account", "work", "--op", "list"],
                 ["model", "add", "m", "--url", "http://127.0.0.1:9/v1"],
                 ["canary", "add", "planted-word"], ["freeze", "--agent", "bot", "--why", "x"],
                 ["freeze", "--account", "work"]):
        work.set_up(*argv)
    return work


def holds(emcli, command, got):
    words = [w for w in command.split() if not w.startswith("-")]
    words = next(words[:n] for n in (3, 2, 1) if " ".join(words[:n]) in commands(emcli))
    schema = json.loads(emcli.run("schema", *words).out)
    jsonschema.Draft202012Validator.check_schema(schema["reply"])
    jsonschema.Draft202012Validator(schema["reply"]).validate(got)


def test_json_is_what_the_schema_says(full):
    for command in SHOWN:
        r = full.admin(*command.split(), "--json")
        assert r.rc == 0, str(r)
        holds(full, command, r.json)


DECLARED = """## Mail sources

| Backend | Role | Mandatory | Notes |
|---|---|---|---|
| work | primary | no | |

| Key | Backend | Value |
|---|---|---|
| security_list | work | users@lists.example |
| nothing | work | x |
"""


def test_an_import_tells_what_it_changed(work, tmp_path):  # noqa: F811
    """The same in JSON as in text, where the changes are above the table."""
    path = tmp_path / "project.md"
    path.write_text(DECLARED)
    remark = {"line": 10, "weight": "note", "text": "nothing is not used"}
    r = work.set_up("source", "import", str(path), "--check", "--json")
    assert r.json == {"declared": 1, "remarks": [remark], "changes": []}
    holds(work, "source import", r.json)
    r = work.set_up("source", "import", str(path), "--json")
    assert r.json["remarks"] == [remark] and r.json["changes"] == [
        {"account": "work", "setting": "list", "was": "", "is": "users@lists.example"}]
    assert [s["role"] for s in r.json["sources"]] == ["primary"]
    holds(work, "source import", r.json)
    path.write_text(DECLARED.replace("users@", "dev@"))
    r = work.set_up("source", "import", str(path))
    assert r.out.splitlines()[:2] == [
        b"work:", b"list: users@lists.example -> dev@lists.example"]
    assert r.out.splitlines()[2].startswith(b"NAME ") and b"note:" not in r.out
    assert r.err == f"{path}:10: note: nothing is not used\n".encode()


def test_every_schema_is_one(work):  # noqa: F811
    """What prints no JSON has no reply in it; what is no operation yet says so."""
    for command in commands(work):
        r = work.run("schema", *command.split())
        if r.rc == 0:
            shown = b"--json" in work.run(*command.split(), "--help").out
            assert ("reply" in json.loads(r.out)) == shown, command
        else:
            assert r.rc == 2, str(r)
