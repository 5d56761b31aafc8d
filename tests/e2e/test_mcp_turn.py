"""The host's turn signal over MCP: a skill is there for one turn, in every revision."""

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
