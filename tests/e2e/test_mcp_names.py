# SPDX-License-Identifier: Apache-2.0
"""What tools are called, and by which words a host that defers them finds them."""

import pytest

from test_mcp import BOX, LEGACY, MODERN, host, work  # noqa: F401

SKILLS = ["mail", "mail-read", "mail-send", "mail-triage"]


@pytest.mark.parametrize("revision", [*LEGACY, MODERN])
def test_what_leads_to_mail_says_so(host, revision):  # noqa: F811
    h = host(revision=revision)
    tools = {t["name"]: t for t in h.tools()}
    for name in "list_skills", "load_skill":
        text = (name + tools[name]["description"]).lower()
        assert "mail" in text and "email" in text and "inbox" in text
    skill = tools["load_skill"]["inputSchema"]["properties"]["skill"]
    assert skill["enum"] == SKILLS
    assert [s["id"] for s in h.data("list_skills")["skills"]] == SKILLS
    assert h.data("load_skill", skill="mail")["skill"] == "mail"


def test_the_choice_is_of_what_may_be_loaded(host, work):  # noqa: F811
    assert work.admin("account", "edit", "work", "--mode", "RO").rc == 0
    for client in "claude-code", "no-such-host":
        [tool] = [t for t in host(revision=LEGACY[1], client=client).tools()
                  if t["name"] == "load_skill"]
        got = tool["inputSchema"]["properties"]["skill"]["enum"]
        assert "mail-read" in got and "mail-send" not in got


def session(h, prefix):
    """Load and call by the names that are shown; all of them begin so."""
    names = [t["name"] for t in h.tools()]
    assert names and all(n.startswith(prefix) and n.count(prefix) == 1 for n in names)
    refused = h.call(prefix + "list", **BOX)["error_detail"]
    assert refused["fix"]["tool"] == prefix + "load_skill"
    got = h.data(refused["fix"]["tool"], **refused["fix"]["arguments"], again=True)
    assert prefix + "list" in got["tools"] and "list" not in got["tools"]
    assert f"{prefix}get" in got["instructions"]
    assert prefix + "load_skill" in h.data(prefix + "list_skills")["usage"]
    assert h.data(prefix + "list", lease=got["lease"], **BOX)["messages"]
    assert h.data("list", lease=got["lease"], **BOX)["messages"], "a text says list"
    return set(names)


BARE = ["@langchain/mcp-adapters", "ai-sdk-mcp-client", "continue-cli-client"]


@pytest.mark.parametrize("client", BARE)
def test_where_bare_names_are_shown_ours_say_mail(host, client):  # noqa: F811
    h = host(revision=LEGACY[1], client=client)
    assert "mail_load_skill" in h.hello["instructions"]
    session(h, "mail_")


@pytest.mark.parametrize("revision", [LEGACY[1], MODERN])
def test_two_servers_in_one_host(host, revision):  # noqa: F811
    one = session(host("--tool-prefix", "home_", revision=revision), "home_")
    two = session(host("--tool-prefix", "work_", revision=revision), "work_")
    assert not one & two


def test_the_operator_can_do_without(host):  # noqa: F811
    h = host("--tool-prefix", "", revision=LEGACY[1], client=BARE[0])
    assert "load_skill" in [t["name"] for t in h.tools()]
    for name in "claude-code", "no-such-host":
        assert "load_skill" in [t["name"] for t in host(revision=LEGACY[1], client=name).tools()]
    assert "list" in [t["name"] for t in host(revision=MODERN).tools()]
    h = host("--tool-prefix", "x_", revision=MODERN)
    for wrong in "x_x_list", "y_list", "x_", "X_list":
        assert h.ask("tools/call", name=wrong, arguments=BOX)["error"]["code"] == -32602


@pytest.mark.parametrize("prefix", ["Mail", "mail.", "a b", "x" * 33, "\u00e9", "mail-"])
def test_what_is_no_prefix(work, prefix):  # noqa: F811
    r = work.run("mcp", "--tool-prefix", prefix)
    assert r.rc == 2 and b"--tool-prefix" in r.err


def test_over_http_too(work):  # noqa: F811
    from test_mcp_http import Client, Server, token
    server = Server(work)
    c = Client(server, token(work), LEGACY[1], client=BARE[0])
    assert "mail_list" in c.names()
    assert c.data("mail_load_skill", skill="mail-read")["tools"]
    assert c.data("mail_list", **BOX)["messages"]
    server.end()
