# SPDX-License-Identifier: Apache-2.0
"""
tools/bundles: what hosts install, by the rules of each format.  A server is started here as
its host would; the hosts themselves are in judges_bundles.py, which ./check hosts runs.
"""

import hashlib
import json
import os
import re
import stat
import subprocess
import urllib.parse
import zipfile

import jsonschema
import pytest

import bundled
import cli
import oauthlab
import servers
from oauthlab import npm  # noqa: F401

# What the registry's schema of 2025-12-11 and its publishing rules ask of a server.json like ours.
REGISTRY = {
    "type": "object", "required": ["$schema", "name", "description", "version", "packages"],
    "properties": {
        "$schema": {"const": "https://static.modelcontextprotocol.io/schemas/2025-12-11/"
                             "server.schema.json"},
        "name": {"pattern": "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", "maxLength": 200},
        "title": {"type": "string", "minLength": 1, "maxLength": 100},
        "description": {"type": "string", "minLength": 1, "maxLength": 100},
        "version": {"pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+(-[0-9A-Za-z.-]+)?$"},
        "packages": {"type": "array", "minItems": 1, "items": {
            "type": "object", "required": ["registryType", "identifier", "fileSha256", "transport"],
            "properties": {
                "registryType": {"const": "mcpb"},
                "identifier": {"type": "string", "pattern": r"^https://github\.com/[^ ]+\.mcpb$"},
                "fileSha256": {"type": "string", "pattern": "^[a-f0-9]{64}$"},
                "transport": {"const": {"type": "stdio"}},
                "environmentVariables": {"type": "array", "items": {
                    "type": "object", "required": ["name", "isSecret"],
                    "properties": {
                        "name": {"type": "string"}, "description": {"type": "string"},
                        "isSecret": {"const": True}, "isRequired": {"type": "boolean"}},
                    "additionalProperties": False}}},
            "additionalProperties": False}}},
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return bundled.static(tmp_path_factory.mktemp("program") / "static")


@pytest.fixture(scope="module")
def keys():
    """Of whoever makes them: an operator's shell may have both."""
    return {name: cli.key() for name in ("EMCLI_KEY", "EMCLI_ADMIN_KEY")}


@pytest.fixture(scope="module")
def bundles(tmp_path_factory, program, keys):
    return bundled.publish(tmp_path_factory.mktemp("bundles") / "made", program, **keys)


@pytest.fixture(scope="module")
def emcli(tmp_path_factory):
    """In a home where it looks by itself."""
    e = cli.Emcli(tmp_path_factory.mktemp("emcli"))
    e.init()
    (e.db.parent / ".config").mkdir()
    os.symlink(e.db.parent, e.db.parent / ".config/emcli")
    return e


def archive(bundles):
    [path] = bundles.glob("*.mcpb")
    return path


def read(path):
    return json.loads(path.read_text())


def tree(folder):
    return {p.relative_to(folder): (stat.S_IMODE(p.stat().st_mode), p.is_file() and p.read_bytes())
            for p in sorted(folder.rglob("*"))}


def test_made_again_it_is_the_same(tmp_path, bundles, program):
    umask = os.umask(0o077)
    try:
        again = bundled.publish(tmp_path / "again", program, TZ="Asia/Tokyo")
    finally:
        os.umask(umask)
    assert tree(again) == tree(bundles)
    # What an older version left is not in it.
    (again / "claude/old").write_text("x")
    assert tree(bundled.publish(again, program)) == tree(bundles)


def test_no_key_is_in_it(bundles, keys):
    texts = [data for _, data in tree(bundles).values() if data]
    texts.append(zipfile.ZipFile(archive(bundles)).read("manifest.json"))
    for text in texts:
        for key in keys.values():
            assert key.encode() not in text
    found = {word for text in texts if text[:2] != b"PK"
             for word in re.findall(rb"(?<![\w+/])[\w+/]{43}=", text)}
    assert not found, "base64 of 32 bytes"


@pytest.mark.parametrize("skills", ["agent/emcli/skills", "claude/emcli/skills", "codex/emcli/skills",
                                    "gemini/skills"])
def test_the_skills_are_the_program_s(bundles, emcli, tmp_path, skills):
    assert emcli.admin("skill", "export", tmp_path / "out").rc == 0
    assert tree(bundles / skills) == tree(tmp_path / "out")


# -- as the hosts start it


def filled(value, pattern, known):
    if isinstance(value, dict):
        return {k: filled(v, pattern, known) for k, v in value.items()}
    if isinstance(value, list):
        return [filled(v, pattern, known) for v in value]
    return re.sub(pattern, lambda m: known[m[1]], value) if isinstance(value, str) else value


def of_claude(bundles, folder):
    server = read(bundles / "claude/emcli/.mcp.json")["mcpServers"]["emcli"]
    asked = read(bundles / "claude/emcli/.claude-plugin/plugin.json")["userConfig"]
    return server, r"\$\{user_config\.(\w+)\}", {k: v["sensitive"] for k, v in asked.items()}


def of_codex(bundles, folder):
    server = read(bundles / "codex/emcli/.mcp.json")["mcpServers"]["emcli"]
    names = server.pop("env_vars")
    return {**server, "env": {n: f"<{n}>" for n in names}}, r"<(\w+)>", {n: True for n in names}


def of_gemini(bundles, folder):
    made = read(bundles / "gemini/gemini-extension.json")
    asked = {s["envVar"]: s["sensitive"] for s in made["settings"]}
    return made["mcpServers"]["emcli"], r"\$\{(\w+)\}", asked


def of_vscode(bundles, folder):
    url = (bundles / "vscode.url").read_text().strip()
    assert re.fullmatch(r"vscode:mcp/install\?[\w.~%-]+", url)
    made = json.loads(urllib.parse.unquote(url.partition("?")[2]))
    assert made.pop("name") == "emcli" and made.pop("type") == "stdio"
    asked = {i["id"]: i["password"] for i in made.pop("inputs") if i["type"] == "promptString"}
    return made, r"\$\{input:(\w+)\}", asked


def of_agent(bundles, folder):
    """By the standard that package has a place for no key: the host gives it to its own entry."""
    made = read(bundles / "agent/emcli/mcp.json")
    assert set(made) == {"$schema", "mcpServers"}
    server = made["mcpServers"]["emcli"]
    assert server.pop("type") == "stdio" and "env" not in server
    return {**server, "env": {"EMCLI_KEY": "<EMCLI_KEY>"}}, r"<(\w+)>", {"EMCLI_KEY": True}


def of_a_desktop(bundles, folder):
    """The archive's program, with the mode that the archive gives it."""
    with zipfile.ZipFile(archive(bundles)) as z:
        for member in z.infolist():
            os.chmod(z.extract(member, folder), member.external_attr >> 16 & 0o777)
    made = read(folder / "manifest.json")
    assert made["server"]["entry_point"] in made["server"]["mcp_config"]["command"]
    server = filled(made["server"]["mcp_config"], r"\$\{(__dirname)\}", {"__dirname": str(folder)})
    asked = {k: v["sensitive"] for k, v in made["user_config"].items()}
    return server, r"\$\{user_config\.(\w+)\}", asked


@pytest.mark.parametrize("read_server", [of_agent, of_claude, of_codex, of_gemini, of_vscode,
                                         of_a_desktop])
def test_a_host_starts_it_with_the_key_it_asked_for(bundles, emcli, tmp_path, read_server):
    server, pattern, asked = read_server(bundles, tmp_path)
    assert asked == {"EMCLI_KEY": True}, "it is a secret in the host, too"
    server = filled(server, pattern, {"EMCLI_KEY": emcli.agent_key})
    assert set(server) == {"command", "args", "env"} and set(server["env"]) == set(asked)
    (tmp_path / "bin").mkdir()
    os.symlink(emcli.binary, tmp_path / "bin/emcli")
    say = [{"method": "initialize", "id": 1, "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}},
        {"method": "notifications/initialized"}, {"method": "tools/list", "id": 2}]
    env = {"PATH": f"{tmp_path}/bin:/usr/bin:/bin", "HOME": str(emcli.db.parent), **server["env"]}
    r = subprocess.run(["/usr/bin/env", server["command"], *server["args"]], env=env, timeout=30,
                       input="".join(json.dumps({"jsonrpc": "2.0", **m}) + "\n" for m in say),
                       cwd=tmp_path, capture_output=True, text=True)
    answers = {m["id"]: m for m in map(json.loads, r.stdout.splitlines()) if "id" in m}
    assert "load_skill" in {t["name"] for t in answers[2]["result"]["tools"]}, r.stderr


def test_the_open_standard_s_manifest(bundles):
    """What Agent Plugins 1.0.0 (5.2 to 5.5) asks of plugin.json: all else in it is an error."""
    made = read(bundles / "agent/emcli/plugin.json")
    assert made["$schema"] == "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
    assert made["$schema"].replace("plugin.schema", "mcp.schema") == read(
        bundles / "agent/emcli/mcp.json")["$schema"]
    assert set(made) <= {"$schema", "name", "version", "description", "author", "homepage",
                         "repository", "license", "keywords", "extensions"}
    assert re.fullmatch(r"(?!.*(--|\.\.))[a-z0-9]([a-z0-9.-]{0,62}[a-z0-9])?", made["name"])
    assert set(made["author"]) <= {"name", "email", "url"}
    assert {p.name for p in (bundles / "agent/emcli").iterdir()} == {
        "plugin.json", "mcp.json", "skills"}


@pytest.mark.parametrize("asked", [True, False], ids=["asked", "handed on"])
def test_what_was_loaded_ends_when_the_user_speaks(bundles, tmp_path, asked):
    """Claude Code's hook, with the key that it keeps or that of its own environment."""
    e = cli.Emcli(tmp_path / "e")
    e.init()
    for half in "cur", "new", "tmp":
        (tmp_path / "site" / servers.address("agent") / half).mkdir(parents=True)
    e.account_maildir(tmp_path / "site")
    leases = [e.run("load-skill", "--skill", s).data["lease"] for s in ("mail-read", "mail-send")]
    assert e.run("list", "--lease", leases[0]).rc == 0
    read_hooks = read(bundles / "claude/emcli/hooks/hooks.json")["hooks"]
    [[hook]] = [entry["hooks"] for entry in read_hooks["UserPromptSubmit"]]
    (tmp_path / "bin").mkdir()
    os.symlink(e.binary, tmp_path / "bin/emcli")
    key = "CLAUDE_PLUGIN_OPTION_EMCLI_KEY" if asked else "EMCLI_KEY"
    r = subprocess.run(["/bin/sh", "-c", hook["command"]], capture_output=True, timeout=60, env={
        **e.environment(), "PATH": f"{tmp_path}/bin:/usr/bin:/bin", key: e.agent_key,
        "CLAUDE_PLUGIN_ROOT": str(bundles / "claude/emcli")})
    # It may neither stop the prompt nor add to it.
    assert (r.returncode, r.stdout, r.stderr) == (0, b"", b"")
    assert not any(s["active"] for s in e.run("list-skills").data["skills"])
    assert e.run("list", "--lease", leases[0]).json["error_detail"]["code"] == "skill"
    r = subprocess.run(["/bin/sh", "-c", hook["command"]], capture_output=True, timeout=60, env={
        "PATH": "/usr/bin:/bin", "CLAUDE_PLUGIN_ROOT": str(bundles / "claude/emcli")})
    assert (r.returncode, r.stdout, r.stderr) == (0, b"", b""), "without emcli"


def mcpb(*argv):
    return subprocess.run([oauthlab.node(), oauthlab.NPM / "node_modules/.bin/mcpb", *argv],
                          capture_output=True, text=True, timeout=60)


def test_the_archive_s_own_tool_takes_it(npm, bundles, tmp_path):  # noqa: F811
    r = mcpb("unpack", archive(bundles), tmp_path / "out")
    assert r.returncode == 0, r.stdout + r.stderr
    r = mcpb("validate", tmp_path / "out/manifest.json")
    assert r.returncode == 0 and "passes" in r.stdout, r.stdout + r.stderr
    # Packed by the tool, it has the same in it.
    r = mcpb("pack", tmp_path / "out", tmp_path / "packed.mcpb")
    assert r.returncode == 0, r.stdout + r.stderr
    with zipfile.ZipFile(tmp_path / "packed.mcpb") as theirs, zipfile.ZipFile(archive(bundles)) as ours:
        assert {n: theirs.read(n) for n in theirs.namelist()} == {n: ours.read(n) for n in ours.namelist()}


def test_the_registry_is_told_of_the_archive(bundles):
    made = read(bundles / "server.json")
    jsonschema.validate(made, REGISTRY)
    [package] = made["packages"]
    assert made["name"] == bundled.NAME
    assert package["identifier"] == f"{bundled.DOWNLOAD}/{archive(bundles).name}"
    assert package["fileSha256"] == hashlib.sha256(archive(bundles).read_bytes()).hexdigest()


def test_one_version_is_in_all(bundles, emcli):
    version = json.loads(emcli.run("version", "--json").out)["version"]
    said = [made.get("version", version) for made in (
        read(bundles / "server.json"), read(bundles / "claude/emcli/.claude-plugin/plugin.json"),
        read(bundles / "claude/.claude-plugin/marketplace.json")["plugins"][0],
        read(bundles / "codex/emcli/.codex-plugin/plugin.json"),
        read(bundles / "agent/emcli/plugin.json"),
        read(bundles / "gemini/gemini-extension.json"),
        json.loads(zipfile.ZipFile(archive(bundles)).read("manifest.json")))]
    assert set(said) == {version} and f"-{version}-linux-" in archive(bundles).name


@pytest.mark.parametrize("argv, said", [
    (("--static", "/usr/bin/env"), "not static"), (("--static", "/etc/passwd"), "is no program"),
    (("--static", __file__), "is no program"), (("--emcli", "/nowhere"), "make builds"),
    (("--registry", "a/b"), "together"), (("--download", "https://h/"), "together"),
    (("--registry", "a/b", "--download", "https://h/"), "together")])
def test_what_would_not_work_elsewhere_is_not_made(tmp_path, argv, said):
    r = bundled.make(tmp_path / "made", *argv)
    assert r.returncode != 0 and said in r.stderr, r.stderr
    assert not list(tmp_path.glob("made/*.mcpb"))
