# SPDX-License-Identifier: Apache-2.0
"""emcli mcp install: each client's own file, what was in it untouched, no secret."""

import functools
import json
import os
import re
import stat
import tomllib

import pytest
import yaml

import cli

REFERENCE = {"claude": "${EMCLI_KEY}", "copilot": "${EMCLI_KEY}", "cursor": "${env:EMCLI_KEY}",
             "gemini": "${EMCLI_KEY}", "hermes": "${EMCLI_KEY}", "openclaw": "${EMCLI_KEY}",
             "opencode": "{env:EMCLI_KEY}", "qwen": "${EMCLI_KEY}", "vscode": "${env:EMCLI_KEY}",
             "windsurf": "${env:EMCLI_KEY}"}
SECTION = {"claude": "mcpServers", "claude-desktop": "mcpServers", "cline": "mcpServers",
           "copilot": "mcpServers", "cursor": "mcpServers", "gemini": "mcpServers",
           "openclaw": "mcp.servers", "opencode": "mcp", "qwen": "mcpServers", "vscode": "servers",
           "windsurf": "mcpServers"}
CLIENTS = sorted([*SECTION, "codex", "continue", "hermes"])
FILES = {"cline": ".cline/data/settings/cline_mcp_settings.json",
         "continue": ".continue/config.yaml", "copilot": ".copilot/mcp-config.json",
         "qwen": ".qwen/settings.json", "claude-desktop": ".config/Claude/claude_desktop_config.json",
         "codex": ".codex/config.toml", "cursor": ".cursor/mcp.json",
         "gemini": ".gemini/settings.json", "hermes": ".hermes/config.yaml",
         "openclaw": ".openclaw/openclaw.json", "opencode": ".config/opencode/opencode.json",
         "windsurf": ".codeium/windsurf/mcp_config.json"}
URL = "https://mail.example/mcp"


@pytest.fixture
def emcli(tmp_path):
    """No database: it is not looked for."""
    return cli.Emcli(tmp_path / "emcli")


@pytest.fixture
def home(tmp_path):
    h = tmp_path / "home"
    h.mkdir()
    return h


@pytest.fixture
def install(emcli, home):
    def run(client, *more, **env):
        env = {"HOME": str(home), "EMCLI_KEY": emcli.agent_key, **env}
        r = emcli.admin("mcp", "install", "--client", client, *more, env=env)
        for secret in emcli.agent_key, emcli.admin_key:
            assert secret.encode() not in r.out + r.err
        return r
    return run


@pytest.fixture
def key_file(emcli, tmp_path):
    path = tmp_path / "agent.key"
    path.write_text(emcli.agent_key + "\n")
    path.chmod(0o600)
    return path


def item(text, head="- name: emcli"):
    """Ours of YAML as we write it: a member a line, values in JSON."""
    text = text if isinstance(text, str) else text.decode()
    found = re.search(rf"^( *){head}\n((?:\1  (?:type|command|args|env|url|headers|"
                      r"requestOptions): .*\n)+)", text, flags=re.M)
    return {k: json.loads(v) for k, _, v in
            (line.strip().partition(": ") for line in found[2].splitlines())}


def entry(client, text):
    if client == "codex":
        return tomllib.loads(text)["mcp_servers"]["emcli"]
    if client == "continue":
        return item(text)
    if client == "hermes":
        return item(text, "emcli:")
    return functools.reduce(dict.get, SECTION[client].split("."), json.loads(text))["emcli"]


@pytest.mark.parametrize("client", sorted(REFERENCE))
def test_prints_what_the_client_reads(install, emcli, client):
    r = install(client)
    assert r.rc == 0, str(r)
    got = entry(client, r.out)
    env = got.pop("environment" if client == "opencode" else "env")
    assert env == {"EMCLI_KEY": REFERENCE[client], "EMCLI_DB": str(emcli.db)}
    binary = os.path.realpath(emcli.binary)
    want = {"command": binary, "args": ["mcp"]}
    if client == "opencode":
        want = {"type": "local", "command": [binary, "mcp"]}
    elif client in ("claude", "vscode"):
        want["type"] = "stdio"
    elif client == "copilot":
        want.update(type="local", tools=["*"])
    assert got == want
    # Where it goes is for who reads along, not part of it.
    where = ".vscode/mcp.json" if client == "vscode" else FILES.get(client, ".mcp.json")
    assert where.encode() in r.err


def test_codex_hands_the_variable_on(install, emcli):
    got = entry("codex", install("codex").out.decode())
    assert got == {"command": os.path.realpath(emcli.binary), "args": ["mcp"],
                   "env_vars": ["EMCLI_KEY"], "env": {"EMCLI_DB": str(emcli.db)}}


def test_cline_fills_nothing_in_and_hands_all_on(install, emcli):
    got = entry("cline", install("cline").out)
    assert got == {"command": os.path.realpath(emcli.binary), "args": ["mcp"],
                   "env": {"EMCLI_DB": str(emcli.db)}}
    r = install("cline", "--http", URL)
    assert r.rc == 2 and b"without their token" in r.err


def test_continue_has_an_item_of_a_list(install, emcli):
    text = install("continue").out.decode()
    assert text.startswith("mcpServers:\n  - name: emcli\n    command: ")
    assert entry("continue", text) == {
        "command": os.path.realpath(emcli.binary), "args": ["mcp"],
        "env": {"EMCLI_KEY": "${{ secrets.EMCLI_KEY }}", "EMCLI_DB": str(emcli.db)}}


def test_what_emcli_finds_by_itself_is_left_out(install, home):
    text = install("claude", EMCLI_DB=str(home / ".config/emcli/emcli.db")).out
    assert list(entry("claude", text)["env"]) == ["EMCLI_KEY"]
    text = install("claude", EMCLI_AGENT="scout").out
    assert entry("claude", text)["env"]["EMCLI_AGENT"] == "scout"


@pytest.mark.parametrize("client", CLIENTS)
def test_a_key_file_serves_them_all(install, key_file, client):
    r = install(client, "--key-file", key_file)
    got = entry(client, r.out.decode())
    env = got["environment" if client == "opencode" else "env"]
    assert env["EMCLI_KEY_FILE"] == str(key_file)
    assert "EMCLI_KEY" not in env and "env_vars" not in got
    # One that is in force already is found without being named again.
    if client != "opencode":
        again = install(client, EMCLI_KEY="", EMCLI_KEY_FILE=str(key_file))
        assert again.out == r.out


@pytest.mark.parametrize("client", CLIENTS)
def test_a_program_that_prints_the_key_is_handed_on_by_its_variable(install, tmp_path, client):
    r = install(client, EMCLI_KEY="", EMCLI_KEY_COMMAND=f"/usr/bin/touch {tmp_path}/ran")
    assert str(tmp_path).encode() + b"/ran" not in r.out and not (tmp_path / "ran").exists()
    if client == "claude-desktop":
        assert r.rc == 2 and b"--key-file" in r.err
        return
    assert r.rc == 0 and b"where EMCLI_KEY_COMMAND is set" in r.err
    got = entry(client, r.out.decode())
    env = got["environment" if client == "opencode" else "env"]
    assert "EMCLI_KEY" not in env and "EMCLI_KEY_FILE" not in env
    if client == "codex":
        assert got["env_vars"] == ["EMCLI_KEY_COMMAND"]
    elif client == "continue":
        assert env["EMCLI_KEY_COMMAND"] == "${{ secrets.EMCLI_KEY_COMMAND }}"
    elif client != "cline":
        assert env["EMCLI_KEY_COMMAND"] == REFERENCE[client].replace("KEY", "KEY_COMMAND")


def test_claude_desktop_fills_nothing_in(install):
    r = install("claude-desktop")
    assert r.rc == 2 and b"--key-file" in r.err and r.out == b""
    r = install("claude-desktop", "--http", URL)
    assert r.rc == 2 and b"no HTTP servers" in r.err


@pytest.mark.parametrize("client,want", [
    ("claude", {"type": "http", "url": URL}), ("cursor", {"url": URL}),
    ("gemini", {"httpUrl": URL}), ("opencode", {"type": "remote", "url": URL}),
    ("vscode", {"type": "http", "url": URL}), ("windsurf", {"serverUrl": URL}),
    ("codex", {"url": URL}), ("qwen", {"httpUrl": URL}), ("hermes", {"url": URL}),
    ("openclaw", {"transport": "streamable-http", "url": URL}),
    ("copilot", {"type": "http", "url": URL, "tools": ["*"]}),
    ("continue", {"type": "streamable-http", "url": URL})])
def test_a_server_that_runs(install, client, want):
    got = entry(client, install(client, "--http", URL).out.decode())
    if client == "codex":
        assert got.pop("bearer_token_env_var") == "EMCLI_TOKEN"
    elif client == "continue":
        assert got.pop("requestOptions") == {
            "headers": {"Authorization": "Bearer ${{ secrets.EMCLI_TOKEN }}"}}
    else:
        token = REFERENCE[client].replace("KEY", "TOKEN")
        assert got.pop("headers") == {"Authorization": "Bearer " + token}
    assert got == want


@pytest.mark.parametrize("url,good", [
    ("https://h", True), ("http://127.0.0.1:8080/mcp", True), ("http://localhost/mcp", True),
    ("http://[::1]:1/", True), ("http://mail.example/mcp", False), ("https://", False),
    ("http://127.0.0.1.example/", False), ("http://localhost@evil.example/", False),
    ("ftp://h/", False), ("https://h/\"", False), ("https://h/a b", False),
    ("https://h/\n", False), ("https://u@h/", False), ("https://h/${HOME}", False), ("", False)])
def test_a_token_goes_over_tls_or_stays_here(install, url, good):
    r = install("codex", "--http=" + url)
    assert r.rc == (0 if good else 2)
    assert not good or entry("codex", r.out.decode())["url"] == url


@pytest.mark.parametrize("name", ["", "Claude", "emacs", "claude desktop", "code\x1b[31mx"])
def test_an_unknown_client_hears_the_known(install, name):
    r = install(name)
    assert r.rc == 2 and r.out == b"" and b"\x1b" not in r.err
    if name:
        for known in CLIENTS:
            assert known.encode() in r.err


# -- writing


def there(path, text):
    """The file as the client left it; None: it wrote none."""
    if text is not None:
        path.parent.mkdir()
        path.write_text(text)
    return path


EXISTING = """{
    "theme": "dark",  "big": 9007199254740993, "f": 1.50,
    "mcpServers": {
        "other": { "command": "x", "args": ["a,b}", "\\"{"] }
    },
    "last": [1, 2,
             3]
}
"""


def test_all_else_in_a_file_stays_as_it_is(install, home):
    path = home / ".cursor/mcp.json"
    path.parent.mkdir()
    path.write_text(EXISTING)
    path.chmod(0o640)
    r = install("cursor", "--write")
    assert r.rc == 0 and str(path).encode() in r.out
    text = path.read_text()
    ours = entry("cursor", text)
    assert ours["args"] == ["mcp"]
    # Take ours out: byte for byte what was there.
    assert re.sub(r',\n    "emcli": \{.*?\n    \}', "", text, flags=re.S) == EXISTING
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    backup = path.with_name("mcp.json.bak")
    assert backup.read_text() == EXISTING and stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert sorted(p.name for p in path.parent.iterdir()) == ["mcp.json", "mcp.json.bak"]
    # Again: nothing to do. With another word: replaced, and each state is kept.
    assert b"already" in install("cursor", "--write").out and path.read_text() == text
    assert install("cursor", "--write", "--http", URL).rc == 0
    assert entry("cursor", path.read_text())["url"] == URL
    assert re.sub(r',\n    "emcli": \{.*?\n    \}', "", path.read_text(), flags=re.S) == EXISTING
    assert path.with_name("mcp.json.bak.1").read_text() == text


@pytest.mark.parametrize("was", [
    None, "", "{}", "{ }\n", '{"mcpServers":{}}', '{"mcpServers": {\n}, "a": 1}',
    '{"a":1}', '{"mcpServers":{"emcli":{"command":"old","x":[1]},"b":{}}}',
    '{"mcpServers":{"emcli":null}}', '{"m\\u0063pServers":{"b":{"command":"emcli"}}}'])
def test_into_any_json(install, home, was):
    path = there(home / ".gemini/settings.json", was)
    r = install("gemini", "--write")
    assert r.rc == 0, str(r)
    got = json.loads(path.read_text())
    assert got["mcpServers"].pop("emcli")["args"] == ["mcp"]
    before = json.loads(was or "{}")
    before.setdefault("mcpServers", {}).pop("emcli", None)
    assert got == before
    assert stat.S_IMODE(path.parent.stat().st_mode) == (0o700 if was is None else 0o755)


@pytest.mark.parametrize("was", [
    None, "{}", '{"mcp": {}}', '{"mcp":{"sessionIdleTtlMs":1},"agents":{"list":[]}}',
    '{"mcp":{"servers":{}}}', '{"mcp":{"servers":{"b":{"emcli":1}}}}',
    '{"emcli":1,"mcp":{"emcli":2,"servers":{"emcli":{"command":"old"},"b":{}},"z":[]}}'])
def test_into_a_member_of_a_member(install, home, was):
    path = there(home / ".openclaw/openclaw.json", was)
    r = install("openclaw", "--write")
    assert r.rc == 0, str(r)
    got = json.loads(path.read_text())
    assert got["mcp"]["servers"].pop("emcli")["args"] == ["mcp"]
    before = json.loads(was or "{}")
    before.setdefault("mcp", {}).setdefault("servers", {}).pop("emcli", None)
    assert got == before
    assert b"already" in install("openclaw", "--write").out


@pytest.mark.parametrize("was", ['{"mcp": []}', '{"mcp": {"servers": 1}}'])
def test_a_section_that_is_no_object_is_left_alone(install, home, was):
    path = there(home / ".openclaw/openclaw.json", was)
    r = install("openclaw", "--write")
    assert r.rc == 2 and b"no object" in r.err and path.read_text() == was


@pytest.mark.parametrize("was", [
    '{ // comment\n "mcpServers": {} }', '{"mcpServers": []}', '{"mcpServers": {}', "[]", "nonsense",
    '{"mcpServers":{"a":1,"a":2}}', '{"mcpServers":{}}{}', '{"a":"\xff"}', '{"mcpServers":{},}'])
def test_what_is_no_plain_json_is_left_alone(install, home, was):
    path = home / ".gemini/settings.json"
    path.parent.mkdir()
    path.write_bytes(was.encode("latin-1"))
    r = install("gemini", "--write")
    assert r.rc == 2 and r.err
    assert path.read_bytes() == was.encode("latin-1")
    assert [p.name for p in path.parent.iterdir()] == ["settings.json"]


TOML = '''# mine
model = "o"   # [mcp_servers.emcli]
text = """
[mcp_servers.emcli]
command = "not a table"
"""
lists = [
  [1, 2],
["mcp_servers.emcli"],
]

[mcp_servers.other]
command = 'x'

[profiles.a]
b = { c = "}" }
'''


@pytest.mark.parametrize("was", [
    None, "", TOML, TOML.rstrip(), "[mcp_servers]\n", "[mcp_servers.emcli2]\ncommand = 'y'\n",
    '[mcp_servers."emcli.x"]\ncommand = "y"\n', "s = ''''a'''''\n", 's = "\\\\"\n'])
def test_into_any_toml(install, home, was):
    path = there(home / ".codex/config.toml", was)
    r = install("codex", "--write")
    assert r.rc == 0, str(r)
    text = path.read_text()
    assert text.startswith(was or "")
    got = tomllib.loads(text)
    assert got["mcp_servers"].pop("emcli")["args"] == ["mcp"]
    before = tomllib.loads(was or "")
    before.setdefault("mcp_servers", {})
    assert got == before
    assert b"already" in install("codex", "--write").out


@pytest.mark.parametrize("old", [
    "[mcp_servers.emcli]\ncommand = 'old'\n[mcp_servers.emcli.env]\nA = '1'\n",
    "[ mcp_servers . \"emcli\" ] # ours\ncommand = [\n'old',\n]\n",
    "  [mcp_servers.'emcli']\nargs = []"])
def test_an_old_table_is_replaced_where_it_stands(install, home, old):
    path = home / ".codex/config.toml"
    path.parent.mkdir()
    for before, behind in ("", ""), (TOML, "\n[z]\na = 1\n" if old.endswith("\n") else ""):
        path.write_text(before + old + behind)
        assert install("codex", "--write").rc == 0
        text = path.read_text()
        got = tomllib.loads(text)
        assert "'old'" not in text and "A = " not in text
        assert got["mcp_servers"]["emcli"]["args"] == ["mcp"]
        assert text.startswith(before)
        assert not behind or got["z"] == {"a": 1}


@pytest.mark.parametrize("was", [
    "mcp_servers = { emcli = { command = 'x' } }\n", "mcp_servers.emcli.command = 'x'\n",
    "[mcp_servers]\nemcli = { command = 'x' }\n", "[mcp_servers]\nemcli.command = 'x'\n",
    "[mcp_servers.emcli]\na = 1\n[b]\n[mcp_servers.emcli.env]\nc = 'd'\n",
    "[[mcp_servers]]\na = 1\n", "a = '''\n", 'a = "x\n', "a = [\n"])
def test_toml_written_otherwise_is_left_alone(install, home, was):
    path = there(home / ".codex/config.toml", was)
    r = install("codex", "--write")
    assert r.rc == 2 and b"by hand" in r.err
    assert path.read_text() == was


YAML = """name: mine
version: 1.0.0   # mcpServers: none
models:
  - name: emcli
    provider: x
    prompt: |
      mcpServers:
        - name: emcli
"""
OTHERS = """mcpServers:
  # the first
  - name: "other"
    command: x
    env:
      name: emcli
"""
BEHIND = "\n# behind\nrules: []\n"
OURS = "  - name: emcli # ours\n    command: old\n\n    args:\n      - a\n"


def narrow(text):
    """The same with items at the margin."""
    return text.replace("  - ", "- ").replace("    ", "  ")


# What stands before, what gives way, what stands behind; what is put before ours.
@pytest.mark.parametrize("before, old, behind, head", [
    (YAML, "", "", "mcpServers:\n"), ("---\n" + YAML, "", "", "mcpServers:\n"),
    (YAML.rstrip(), "", "", "\nmcpServers:\n"), (YAML + "mcpServers:\n", "", "", ""),
    (YAML, "mcpServers: [] # none\n", "x: 1\n", "mcpServers:\n"),
    (YAML + OTHERS, "", BEHIND, ""), (YAML + narrow(OTHERS), "", BEHIND, ""),
    (YAML + OTHERS, OURS, BEHIND, ""), (YAML + narrow(OTHERS), narrow(OURS), BEHIND, ""),
    (YAML + "mcpServers:\n", OURS, "  - name: z\n", ""),
    (YAML + "mcpServers:\n", "  - command: old\n    name: 'emcli'\n", "", ""),
    (YAML + "mcpServers:\n", "  -   name: emcli\n      command: old\n", "  -   name: z\n", ""),
    ((YAML + "mcpServers:\n  - name: z\n").replace("\n", "\r\n"), "", "", "")])
def test_into_any_yaml(install, home, before, old, behind, head):
    path = home / ".continue/config.yaml"
    path.parent.mkdir()
    path.write_bytes((before + old + behind).encode())
    r = install("continue", "--write")
    assert r.rc == 0, str(r)
    ours = install("continue").out.decode().partition("mcpServers:\n")[2]
    if "\n- name" in before:
        ours = narrow(ours)
    assert path.read_bytes().decode() == before + head + ours + behind
    assert b"already" in install("continue", "--write").out


@pytest.mark.parametrize("was", [
    "mcpServers: [{name: x}]\n", "mcpServers: {}\n", "mcpServers:\n  a: 1\n",
    "mcpServers:\n\t- name: x\n", '"mcpServers":\n  - name: x\n', "mcpServers: &a\n  - x\n",
    "mcpServers:\n  - {name: emcli, command: x}\n", "mcpServers:\n- name: x\nmcpServers: []\n",
    "a: 1\n---\nb: 2\n", "text: \"a\nb\"\n", "{mcpServers: []}\n",
    "mcpServers:\n    - name: x\n  - name: y\n", "mcpServers: []\n  - name: x\n",
    "mcpServers:\n  - name: emcli\n  - name: emcli\n"])
def test_yaml_written_otherwise_is_left_alone(install, home, was):
    path = there(home / ".continue/config.yaml", was)
    r = install("continue", "--write")
    assert r.rc == 2 and b"by hand" in r.err
    assert path.read_text() == was and len(list(path.parent.iterdir())) == 1


# A map, as Hermes writes its file: items of other lists may stand at the margin.
LISTS = """# mine
model: {default: x}
toolsets:
- hermes-cli
- name: emcli
text: |
  mcp_servers:
    emcli: no
"""
SERVERS = """mcp_servers:
  # the first
  emcli2:
    command: x
    emcli: {}
"""
STALE = "  emcli:  # ours\n    command: old\n\n    args:\n    - a\n"


@pytest.mark.parametrize("before, old, behind, head", [
    ("", "", "", "mcp_servers:\n"), (LISTS, "", "", "mcp_servers:\n"),
    (LISTS + "x: 1", "", "", "\nmcp_servers:\n"), (LISTS + "mcp_servers:\n", "", "", ""),
    (LISTS, "mcp_servers: {} # none\n", "x: 1\n", "mcp_servers:\n"),
    (LISTS + SERVERS, "", BEHIND, ""), (LISTS + SERVERS, STALE, BEHIND, ""),
    (LISTS + SERVERS, "  emcli: {command: old}\n", "  z: {}\n", ""),
    (LISTS + "mcp_servers:\n", STALE, "  # of z\n  z: {}\n" + BEHIND, ""),
    (SERVERS.replace("  ", "    "), STALE.replace("  ", "    "), "x: 1\n", ""),
    (SERVERS.replace("\n", "\r\n"), "", "", "")])
def test_into_any_map_of_yaml(install, home, before, old, behind, head):
    path = home / ".hermes/config.yaml"
    path.parent.mkdir()
    path.write_bytes((before + old + behind).encode())
    r = install("hermes", "--write")
    assert r.rc == 0, str(r)
    ours = install("hermes").out.decode().partition("mcp_servers:\n")[2]
    if "\n    emcli2" in before:
        ours = re.sub(r"^  ", "    ", ours, flags=re.M)
    assert path.read_bytes().decode() == before + head + ours + behind
    assert b"already" in install("hermes", "--write").out
    # To a reader of YAML, nothing else has changed.
    was, got = (yaml.safe_load(t) or {} for t in (before + old + behind, path.read_text()))
    assert got["mcp_servers"].pop("emcli")["args"] == ["mcp"]
    others = was.pop("mcp_servers", None) or {}
    others.pop("emcli", None)
    assert got == {**was, "mcp_servers": others}


@pytest.mark.parametrize("was", [
    "mcp_servers: {x: {}}\n", "mcp_servers: []\n", "mcp_servers:\n- name: x\n",
    "mcp_servers:\n\tx: {}\n", '"mcp_servers":\n  x: {}\n', "mcp_servers: &a\n  x: {}\n",
    'mcp_servers:\n  "emcli": {}\n', "mcp_servers:\n  emcli: &a\n    command: x\n  y: *a\n",
    "mcp_servers:\n    x: {}\n  y: {}\n", "mcp_servers: {}\n  x: {}\n", "- a\n- b\n",
    "mcp_servers:\n  emcli: {}\n  emcli: {}\n", "mcp_servers:\n  ? x\n", "{mcp_servers: {}}\n",
    "a: 1\n---\nb: 2\n", "mcp_servers: {}\nmcp_servers: {}\n"])
def test_a_map_written_otherwise_is_left_alone(install, home, was):
    path = there(home / ".hermes/config.yaml", was)
    r = install("hermes", "--write")
    assert r.rc == 2 and b"by hand" in r.err
    assert path.read_text() == was and len(list(path.parent.iterdir())) == 1


def test_continue_is_set_up_first(install, home):
    r = install("continue", "--write")
    assert r.rc == 1 and b"set it up first" in r.err
    assert not (home / ".continue/config.yaml").exists()


# -- what comes next


@pytest.mark.parametrize("client", CLIENTS)
def test_it_says_what_to_do_next(install, home, key_file, client):
    there(home / ".continue/config.yaml", "name: mine\n")
    path = home / "servers"
    path.write_text("name: mine\n" if client == "continue" else "")
    for _ in "written", "already":
        out = install(client, "--write", "--file", path, "--key-file", key_file).out.decode()
        first, *_, last = out.splitlines()[-2:]
        assert first.startswith("Next: ") and last == "Then ask it: what is new in my mail?"
        assert any(w in first for w in ("restart", "quit", "press", "start the gateway again"))


def test_a_key_that_is_not_there_is_told_of(install, emcli, home, key_file):
    r = install("codex", EMCLI_KEY="")
    assert r.rc == 0 and b"EMCLI_KEY is not set here: start Codex where it is" in r.err
    assert b"there is no database" in install("codex").err
    assert b"EMCLI_TOKEN is not set here" in install("codex", "--http", URL).err
    r = install("codex", "--http", URL, EMCLI_TOKEN="x")
    assert r.rc == 0 and b"warning" not in r.err
    # A file that was named and holds none is no word for the client.
    key_file.write_text("")
    r = install("codex", "--write", "--key-file", key_file)
    assert r.rc == 1 and b"has no key" in r.err and not (home / ".codex").exists()
    key_file.chmod(0o644)
    assert b"open to others" in install("codex", "--key-file", key_file).err


def test_a_key_of_another_store_is_told_of(install, emcli, key_file):
    emcli.init()
    key_file.write_text(emcli.agent_key + "\n")
    for more in (), ("--key-file", key_file), ("--write",):
        assert b"warning" not in install("codex", *more).err
    key_file.write_text(cli.key() + "\n")
    assert b"the server will not start with this key" in install(
        "codex", "--key-file", key_file).err


def test_a_link_stays_a_link(install, home):
    real = home / "dotfiles.json"
    real.write_text("{}")
    path = home / ".cursor/mcp.json"
    path.parent.mkdir()
    path.symlink_to(real)
    assert install("cursor", "--write").rc == 0
    assert path.is_symlink() and entry("cursor", real.read_text())
    assert (home / "dotfiles.json.bak").exists()


def test_another_file(install, home):
    path = home / "a/b.json"
    assert install("claude", "--write", "--file", path).rc == 0
    assert entry("claude", path.read_text())
    for bad in str(home), str(home) + "/a/":
        assert install("claude", "--write", "--file", bad).rc == 2


def test_it_needs_no_key_and_nothing_is_started(emcli, home):
    r = emcli.admin("mcp", "install", "--client", "codex",
                    env={"HOME": str(home), "EMCLI_ADMIN_KEY": "", "EMCLI_DB": str(home / "no.db")})
    assert r.rc == 0 and not (home / "no.db").exists()


def test_json_tells_what_was_done(install, home):
    shown = install("claude-desktop", "--http", URL, "--json")
    assert shown.rc == 2 and shown.out == b""
    path = str(home / FILES["cursor"])
    shown = install("cursor", "--json").json
    assert entry("cursor", shown["entry"])["args"] == ["mcp"]
    assert (shown["file"], shown["written"], shown["backup"]) == (path, False, None)
    told = [install("cursor", "--write", "--json").json for _ in range(2)]
    assert [t["written"] for t in told] == [True, False]
    assert all((t["client"], t["file"], t["entry"]) == ("cursor", path, None) for t in told)
    (home / FILES["cursor"]).write_text('{"mine": 1}\n')
    assert install("cursor", "--write", "--json").json["backup"] == path + ".bak"
