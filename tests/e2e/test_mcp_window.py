# SPDX-License-Identifier: Apache-2.0
"""What a model reads of a long message over MCP: a window at a time, unless it asks."""

import json

import pytest

from mail import message
from test_mcp import BOX, LEGACY, MODERN, sessions

LONG = "".join(f"{n:07d}\r\n" for n in range(1 << 17))  # over a megabyte
FILE = ('--b\r\nContent-Type: text/plain\r\n\r\n%s--b\r\nContent-Type: text/csv\r\n'
        'Content-Disposition: attachment; filename="a.csv"\r\n\r\n1,2\r\n--b--\r\n')
LINKS = "".join(f'<a href="https://lab.example/{n}/{"x" * 90}">number {n}</a> ' for n in range(900))


@pytest.fixture
def work(emcli, site):
    site.deliver("agent", message(
        body=FILE % LONG, mid="<1@tests.example>",
        extra="MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n"))
    site.deliver("agent", message(
        body=f"<p>{LINKS}</p>",
        extra="MIME-Version: 1.0\r\nContent-Type: text/html\r\n"))
    emcli.account_maildir(site.path, process_backlog=True)
    return emcli


@pytest.fixture
def host(work):
    with sessions(work, "--always") as make:
        yield lambda revision=MODERN: make(revision=revision)


@pytest.mark.parametrize("revision", [LEGACY[1], MODERN])
def test_a_long_text_comes_in_windows(host, work, revision):
    h = host(revision)
    want = {**BOX, "uid": 1}
    whole = work.run("get", "--account", "work", "--folder", "INBOX", "--uid", "1").data
    assert len(whole["text"]) > 1000000 and "text_more" not in whole
    assert whole["attachments"][0]["content_b64"]
    got = h.data("get", **want)
    assert len(got["text"]) == got["text_next"] == 20000
    assert got["text_total"] == len(whole["text"])
    assert "again with offset 20000" in got["text_more"]
    assert "content_b64" not in got["attachments"][0] and got["attachments"][0]["size"] == 3
    text, size = got["text"], 500000
    while (at := got["text_next"]) is not None:
        got = h.data("get", **want, offset=at, max_body=size)
        assert len(got["text"]) <= size
        text += got["text"]
    assert text == whole["text"] and "text_more" not in got
    assert h.data("get", **want, max_body=2000000)["text"] == whole["text"], "who asks gets it"
    files = h.data("get", **want, attachments="inline")["attachments"]
    assert files[0]["content_b64"]


def test_the_operator_says_how_long_one_is(host, work):
    assert work.admin("config", "set", "mcp_max_body", "500").rc == 0
    got = host().data("get", **BOX, uid=1)
    assert len(got["text"]) == 500 == got["text_next"]
    for value in "0", "199", "x", "10000001":
        assert work.admin("config", "set", "mcp_max_body", value).rc == 2


def test_links_are_text_too(host):
    h = host()
    got = h.data("get", **BOX, uid=2)
    assert len(got["links"]) + got["links_left"] == 900 and got["links"][0]["n"] == 1
    assert len(json.dumps(got)) < 80000
    all_of_them = h.data("get", **BOX, uid=2, max_body=200000)
    assert len(all_of_them["links"]) == 900 and "links_left" not in all_of_them


def test_a_thread_is_no_way_round(host):
    h = host()
    got = h.data("read_thread", account="work", id="<1@tests.example>", form="text")
    [one] = got["messages"]
    assert len(one["body"]) == 20000 and one["body_truncated"] is True


def test_the_tools_say_so(host):
    tool = next(t for t in host().tools() if t["name"] == "get")
    assert tool["inputSchema"]["properties"]["attachments"]["default"] == "meta"
