# SPDX-License-Identifier: Apache-2.0
"""The host's turn signal over MCP: a skill is there for one turn, in every revision."""

import json

import pytest

import cli
from test_mcp import BOX, LEGACY, MODERN, host, work  # noqa: F401

REVISIONS = [*LEGACY, MODERN]
ACK = {"account": "work", "folder": "INBOX", "uid": [1]}


def ask(h, method, turn, **params):
    meta = {} if turn is None else {"_meta": {"emcli/turn": turn}}
    return h.ask(method, **meta, **params)["result"]


def call(h, turn, tool, **arguments):
    return cli.envelope(ask(h, "tools/call", turn, name=tool, arguments=arguments))


def names(h, turn):
    return [t["name"] for t in ask(h, "tools/list", turn)["tools"]]


@pytest.mark.parametrize("revision", REVISIONS)
def test_hidden_loaded_used_hidden_again(host, revision):  # noqa: F811
    h = host(revision=revision)
    legacy = revision in LEGACY
    before = names(h, "one")
    assert ("ack" in before) is not legacy
    assert call(h, "one", "ack", **ACK)["error_detail"]["reason"] == "skill_not_active"
    got = call(h, "one", "load_skill", skill="mail-read")["data"]
    assert (got["status"], got["scope"]) == ("loaded", "current_turn")
    assert "ack" in names(h, "one")
    assert call(h, "one", "list", **BOX)["data"]["messages"]
    # The user speaks.
    for turn in "two", None:
        assert names(h, turn) == before
        refused = call(h, turn, "ack", **ACK)
        assert refused["error_detail"]["reason"] == "skill_not_active"
        assert call(h, turn, "ack", lease=got["lease"], **ACK)["error_detail"]["code"] == "skill"
    assert call(h, "two", "load_skill", skill="mail-read")["data"]["status"] == "loaded"
    assert call(h, "two", "ack", **ACK)["data"]["acked"] == [1]


@pytest.mark.parametrize("revision", REVISIONS)
def test_an_unknown_skill_loads_nothing(host, revision):  # noqa: F811
    h = host(revision=revision)
    before = names(h, "one")
    got = call(h, "one", "load_skill", skill="mail-burn")
    assert got["error_detail"]["code"] == "not_found", got
    assert "mail-read" in got["error_detail"]["available_skills"]
    assert names(h, "one") == before
    assert call(h, "one", "list", **BOX)["error_detail"]["code"] == "skill"


@pytest.mark.parametrize("turn", ["", "x" * 65, 7, None, ["one"], {}])
def test_what_names_no_turn(host, work, turn):  # noqa: F811
    h = host(revision=LEGACY[1])
    h.data("load_skill", skill="mail-read")
    got = h.ask("tools/call", name="list", arguments=BOX, _meta={"emcli/turn": turn})
    detail = cli.envelope(got["result"])["error_detail"]
    assert detail["code"] == "usage" and "emcli/turn" in detail["message"], detail
    # It leaves its row, as any call does.
    row = work.admin("audit", "list", "--json").json["audit"][0]
    assert (row["principal"], row["action"], row["outcome"]) == ("agent", "list", "usage"), row


def test_a_turn_is_an_agents_own(host, work):  # noqa: F811
    """Another agent that knows its name has nothing of it."""
    assert call(host(revision=MODERN), "one", "load_skill",
                skill="mail-read")["data"]["status"] == "loaded"
    other = host(revision=MODERN, env={"EMCLI_AGENT": "scout"})
    assert call(other, "one", "list", **BOX)["error_detail"]["code"] == "skill"
    again = host(revision=MODERN)
    assert call(again, "one", "list", **BOX)["data"]["messages"]


def marks(turn):
    """Codex's, as an object and as the text of one."""
    mark = {"session_id": "s", "thread_id": "t", "turn_id": turn, "more": [{}]}
    return {"x-codex-turn-metadata": mark}, {"x-codex-turn-metadata": json.dumps(mark)}


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("way", [0, 1])
def test_a_mark_of_the_hosts_own_is_a_turn(host, revision, way):  # noqa: F811
    h = host(revision=revision, client="codex-mcp-client")

    def said(meta, tool, **arguments):
        return cli.envelope(h.ask("tools/call", name=tool, arguments=arguments,
                                  _meta=dict(meta))["result"])

    one, two = marks("one")[way], marks("two")[way]
    got = said(one, "load_skill", skill="mail-read")["data"]
    assert got["scope"] == "current_turn" and got["ends"].startswith("with the user's turn")
    assert said(one, "list", **BOX)["data"]["messages"]
    for meta in two, {}:
        assert said(meta, "list", **BOX)["error_detail"]["code"] == "skill"
        assert said(meta, "list", lease=got["lease"], **BOX)["error_detail"]["code"] == "skill"
    assert said({**one, "emcli/turn": "three"}, "list", **BOX)["error_detail"]["code"] == \
        "skill", "what is said for us goes before"


@pytest.mark.parametrize("mark", ["", "{", "[]", "7", 7, None, [], {}, {"turn_id": 7},
                                  {"turn_id": ""}, {"turn_id": "x" * 65}, "[" * 5000])
def test_a_mark_that_names_no_turn_is_none(host, mark):  # noqa: F811
    """What a host means by it is not ours to judge."""
    h = host(revision=LEGACY[1], client="codex-mcp-client")
    meta = {"x-codex-turn-metadata": mark}
    got = cli.envelope(h.ask("tools/call", name="load_skill", _meta=meta,
                             arguments={"skill": "mail-read"})["result"])["data"]
    assert got["scope"] == "lease"
    assert h.data("list", **BOX)["messages"]


@pytest.mark.parametrize("revision", REVISIONS)
def test_without_a_turn_nothing_ends_with_it(host, work, revision):  # noqa: F811
    """So nothing says that it did."""
    h = host(revision=revision)
    got = h.data("load_skill", skill="mail-read")
    assert got["scope"] == "lease" and "turn" not in got["ends"]
    assert got["ends"] == "after 300 seconds without use, and at " + got["expires_at"]
    assert work.admin("config", "set", "skill_uses", "3").rc == 0
    assert h.data("load_skill", skill="mail-send")["ends"].endswith(", and after 3 more calls")
    [tool] = [t for t in h.tools() if t["name"] == "load_skill"]
    assert "until the user" not in tool["description"]
