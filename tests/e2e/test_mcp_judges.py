# SPDX-License-Identifier: Apache-2.0
"""What others wrote holds emcli mcp and its skills to the rules: the protocol's own
inspector, client and conformance suite, and the skills' validator.  All come from
npm/package.json; one that cannot be installed is a failure."""

import json
import re
import shlex
import subprocess

import pytest

import bearer
import cli
from mail import message
from oauthlab import node, npm  # noqa: F401  (a fixture)
from test_mcp_http import Server

MAIL_READ = cli.skill_ops("mail-read")
# What hosts that list again are shown: of the judges no name is known.
FILTER = ["--legacy-tools", "filter"]
CONTROL = ["list_skills", "load_skill", "unload_skill", "read_skill_resource"]


@pytest.fixture
def work(emcli, site):
    site.deliver("agent", message(subject="one"))
    emcli.account_maildir(site.path, process_backlog=True)
    return emcli


def agent(emcli):
    return emcli.environment(EMCLI_KEY=emcli.agent_key)


def stdio(work):
    """A program without arguments, since some clients take options for their own; and its environment."""
    argv, env = work.command(["mcp"], agent(work))
    path = work.folder / "client"
    path.write_text(f'#!/bin/sh\nexec {shlex.join(argv)} "$@"\n')
    path.chmod(0o755)
    return str(path), env


def run(npm, argv, env, timeout=120):
    r = subprocess.run([node(), *map(str, argv)], cwd=npm, env=env, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout)
    cli.no_report(r.stderr)
    return r


@pytest.fixture
def token(work):
    r = work.admin("agent", "add", "judge")
    assert r.rc == 0, str(r)
    return r.out.decode().split()[-1]


@pytest.fixture
def server(work):
    s = Server(work, *FILTER)
    yield s
    s.end()


@pytest.fixture
def url(server, token):
    """Where a server is that asks for no token."""
    b = bearer.Bearer(server.port, token)
    yield b.url
    b.stop()


# -- the SDK's client


def sdk_client(work, way, request):
    """How a script is told where to go, and its environment."""
    if way == "stdio":
        program, env = stdio(work)
        return ["stdio", program, *FILTER], env
    port = request.getfixturevalue("server").port
    return ["http", f"http://127.0.0.1:{port}/mcp"], \
        {**agent(work), "BEARER": request.getfixturevalue("token")}


@pytest.mark.parametrize("way", ["stdio", "http"])
def test_the_sdk_client_has_a_whole_session(npm, work, way, request):
    argv, env = sdk_client(work, way, request)
    r = run(npm, ["mcp.mjs", *argv], env)
    assert r.returncode == 0, r.stderr.decode(errors="replace")[-3000:]
    got = json.loads(r.stdout)
    assert got["server"]["name"] == "emcli" and "load_skill" in got["instructions"]
    assert not set(MAIL_READ) & set(got["before"]) and set(CONTROL) <= set(got["before"])
    assert got["refused"]["isError"] is True
    detail = cli.envelope(got["refused"])["error_detail"]
    assert detail["fix"] == {"tool": "load_skill", "arguments": {"skill": "mail-read"}}
    assert got.get("changed", way == "http") is True
    assert set(MAIL_READ) <= set(got["after"])
    rows = cli.envelope(got["rows"])["data"]["messages"]
    assert [m["subject"] for m in rows] == ["one"] and got["rows"]["isError"] is False
    assert got["resources"][0].startswith("skill://") and got["text"].startswith("---\n")
    assert got["unknown"] == -32602


# -- the inspector


@pytest.mark.parametrize("way", ["stdio", "http"])
def test_the_inspector_reads_what_there_is(npm, work, way, request):
    program, env = stdio(work)
    target = [request.getfixturevalue("url"), "--transport", "http"] if way == "http" \
        else [program]

    def inspect(method, *more):
        r = run(npm, ["node_modules/.bin/mcp-inspector-cli", "--cli", *target,
                      "--method", method, *more], env)
        assert r.returncode == 0, (r.stdout + r.stderr).decode(errors="replace")[-3000:]
        return json.loads(r.stdout)

    tools = {t["name"]: t for t in inspect("tools/list")["tools"]}
    assert set(CONTROL) <= set(tools) and ("get" in tools) is (way == "stdio")
    loaded = inspect("tools/call", "--tool-name", "load_skill",
                     "--tool-arg", "skill=mail-read")
    loaded = cli.envelope(loaded)["data"]
    assert loaded["status"] == "loaded"
    # Another process is another session: its lease is none here.
    lease = loaded["lease"]
    refused = inspect("tools/call", "--tool-name", "list", "--tool-arg",
                      "account=work", "folder=INBOX", f"lease={lease}")
    assert refused["isError"] is True
    assert cli.envelope(refused)["error_detail"]["code"] == "skill"
    uris = [r["uri"] for r in inspect("resources/list")["resources"]]
    assert "skill://mail-read/SKILL.md" in uris
    text = inspect("resources/read", "--uri", uris[0])["contents"][0]["text"]
    assert text.startswith("---\nname: mail-read\n")


# -- the conformance suite: over HTTP alone, and without a token


def test_the_conformance_suite_passes_but_for_what_is_listed(npm, work, url):
    r = run(npm, ["node_modules/.bin/conformance", "server", "--url", url,
                  "--expected-failures", cli.ROOT / "tests/e2e/mcp_conformance.yml"],
            agent(work), timeout=240)
    said = r.stdout.decode(errors="replace")
    assert r.returncode == 0, said[-3000:]
    passed = set(re.findall(r"\u2713 ([a-z0-9-]+): [1-9]", said))
    assert {"server-initialize", "ping", "tools-list", "resources-list",
            "dns-rebinding-protection"} <= passed


# -- the validator of skills


def test_our_skills_are_valid_to_the_reference(npm, emcli, tmp_path):
    out = tmp_path / "skills"
    assert emcli.admin("skill", "export", out).rc == 0
    folders = sorted(p for p in out.iterdir())
    assert [p.name for p in folders] == ["mail", "mail-organize", "mail-read", "mail-send",
                                            "mail-triage"]
    for folder in [*folders, *sorted((cli.ROOT / "skills").iterdir())]:
        r = run(npm, ["node_modules/.bin/skills-ref", "validate", folder], agent(emcli))
        assert r.returncode == 0, (folder, r.stdout, r.stderr)
    # It can say no, and so does ours of the same.
    bad = tmp_path / "Bad-Name"
    bad.mkdir()
    (bad / "SKILL.md").write_text("---\nname: Bad-Name\ndescription: d\n---\nbody\n")
    assert run(npm, ["node_modules/.bin/skills-ref", "validate", bad],
               agent(emcli)).returncode != 0
    assert emcli.admin("skill", "validate", bad).rc != 0
