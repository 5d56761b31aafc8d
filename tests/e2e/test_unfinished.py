# SPDX-License-Identifier: Apache-2.0
"""Mail that is plainly not finished is refused, unless it is meant so."""

import concurrent.futures
import json
import sqlite3

import pytest

TO = ("--to", "bob@lab.example", "--to", "alice@lab.example")


@pytest.fixture
def work(emcli, site, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.txt").write_text("file")
    emcli.account_maildir(site.path, whitelist_out="off", check_unfinished="on",
                          attach_dir=tmp_path / "out")
    return emcli


def send(emcli, body, *more, to=TO, subject="s", agent=None):
    return emcli.run("send", "--account", "work", *to, "--subject", subject, "--body", body,
                     *more, env={"EMCLI_AGENT": agent})


def refused(r, *words):
    detail = r.json["error_detail"]
    assert (detail["code"], detail["reason"]) == ("policy", "unfinished"), str(r)
    assert "as_is" in detail["next"], str(r)
    for word in words:
        assert word in detail["message"], str(r)
    return True


@pytest.mark.parametrize("body, subject, words", [
    ("Dear {{name}},\n", "s", ["a placeholder", "{{name}}"]),
    ("Dear Bob,\n", "Offer for [NAME]", ["a placeholder", "[NAME]"]),
    ("I have attached it.\n", "s", ["no file is attached", "I have attached"])])
def test_what_was_found_is_said_and_nothing_is_sent(work, site, body, subject, words):
    assert refused(send(work, body, subject=subject), *words)
    assert site.messages("bob") == []
    # What is refused is not held before.
    work.set_up("account", "edit", "work", "--outbound", "approve")
    assert refused(send(work, body, subject=subject))
    assert json.loads(work.admin("approve", "list", "--json").out)["held"] == []


def test_a_file_that_is_there_is_no_promise(work, site, tmp_path):
    assert send(work, "I have attached it.\n", "--attach", tmp_path / "out" / "a.txt").data
    assert len(site.messages("bob")) == 1


def test_what_is_meant_so_is_sent_and_recorded(work, site):
    assert send(work, "Dear {{name}},\n", "--as-is").data["state"] == "sent"
    assert len(site.messages("bob")) == 1
    rows = json.loads(work.admin("audit", "list", "--json").out)["audit"]
    assert "as is: a placeholder: {{name}}" in rows[0]["detail"]


def test_the_operator_can_do_without(work, site):
    work.set_up("account", "edit", "work", "--check-unfinished", "off")
    for _ in range(2):
        assert send(work, "Dear {{name}},\n").data["state"] == "sent"
    assert len(site.messages("bob")) == 2


def age(emcli, seconds):
    db = sqlite3.connect(emcli.db)
    with db:
        db.execute("UPDATE outbox SET created_s = created_s - ?", (seconds,))
    db.close()


def test_the_same_to_the_same_within_ten_minutes(work, site):
    assert send(work, "hello\n").data["state"] == "sent"
    # Whoever is named first, and however the subject is changed.
    other = (*TO[2:], *TO[:2])
    assert refused(send(work, "hello\n\n", to=other, subject="t"), "seconds ago", "as_is")
    assert len(site.messages("bob")) == 1
    # Another text, other people, another agent.
    assert send(work, "hello again\n").data and send(work, "hello\n", to=TO[:2]).data
    assert send(work, "hello\n", agent="b").data
    assert send(work, "hello\n", "--as-is").data
    age(work, 601)
    assert send(work, "hello\n").data["state"] == "sent"


def test_a_key_answers_before_a_copy_is_refused(work, site):
    for again in False, True:
        r = send(work, "hello\n", "--idempotency-key", "k")
        assert r.data["state"] == "sent" and r.data["again"] is again
    assert refused(send(work, "hello\n", "--idempotency-key", "other"))
    assert len(site.messages("bob")) == 1


def test_what_surely_did_not_leave_may_be_tried_again(work, site):
    r = send(work, "hello\n", to=("--to", "nobody@lab.example"))
    assert r.rc != 0
    again = send(work, "hello\n", to=("--to", "nobody@lab.example"))
    assert again.json["error_detail"]["code"] == r.json["error_detail"]["code"] != "policy"


def test_of_many_at_once_one_is_sent(work, site):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda _: send(work, "hello\n"), range(8)))
    assert [r.rc for r in done].count(0) == 1
    assert all(refused(r) for r in done if r.rc != 0)
    assert len(site.messages("bob")) == 1
