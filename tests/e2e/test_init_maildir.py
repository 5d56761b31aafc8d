# SPDX-License-Identifier: Apache-2.0
"""emcli init for a Maildir of this machine, by forms, by lines and by options."""

import pytest

from firstrun import ADDRESS, PASSWORD, First, keys, to_who
from firstrun import first  # noqa: F401
from mail import message


def by_forms(first, box):
    with first.screen() as s:
        to_who(first, s)
        # The cursor waits in the address; a server is what is assumed.
        s.wait("Mail is kept by +imap")
        s.type(ADDRESS)
        s.choose("Mail is kept by", "maildir")
        s.press("Enter")
        s.wait("Maildir\n")
        s.type("/nonexistent")
        s.press("Enter")
        s.wait("Maildir cannot be read")
        s.press("C-u")
        s.type(str(box))
        s.press("Enter")
        s.wait("Only listed senders")
        s.press("Escape")
        s.wait("Maildir +/")
        s.press("Enter")
        s.wait("Only listed senders")
        s.press("Enter")
        said = s.wait(r"maildir[^\n]* ok[\s\S]*Write it down").group(0)
        assert "Folder /" in said and "IMAP" not in said
        assert first.nothing()
        s.press("Enter")
        assert s.end() == 0


def by_lines(first, box):
    with first.screen(TERM="dumb") as s:
        s.wait(r"Make the keys now[^\n]*:$")
        s.press("Enter")
        first.take_keys(s)
        for question, answer in [
                ("They are put away", ""), ("Mail is kept by", "m"),
                ("Mail address", ADDRESS), ("Account name", ""), ("Agents may", ""),
                ("Maildir", box), ("Only listed senders", ""), ("Listed senders", "")]:
            s.wait(rf"{question}[^\n]*:$")
            s.type(str(answer))
            s.press("Enter")
        s.wait(r"maildir[^\n]* ok[\s\S]*Write it down[^\n]*:$")
        assert first.nothing()
        s.press("Enter")
        assert s.end() == 0


def init(first, *argv, stdin=None):
    return first.admin("init", "--backend", "maildir", *argv, stdin=stdin,
                       env={"EMCLI_DB": str(first.db)})


def by_flags(first, box):
    r = init(first, "--path", box, "--from", ADDRESS)
    assert r.rc == 0 and b"added lab" in r.out, str(r)


@pytest.mark.parametrize("face", [by_forms, by_lines, by_flags])
def test_a_folder_is_reached_by_every_face(first, site, face):
    box = site.box("agent")
    site.deliver("agent", message(subject="there already"))
    face(first, box)
    [account], _, audit = first.rows()
    assert (account["name"], account["backend"], account["path"]) == ("lab", "maildir", str(box))
    assert (account["from_addr"], account["mode"], account["imap_host"]) == (ADDRESS, "RO", None)
    assert audit[0] == ("operator", "lab", "account.add", "allowed", "ok")
    assert first.healthy()
    r = first.run("list", "--account", "lab", "--folder", "INBOX",
                  env={"EMCLI_DB": str(first.db)})
    assert [m["subject"] for m in r.data["messages"]] == ["there already"]


def test_sending_is_to_the_listed_only(first, site):
    r = init(first, "--path", site.box("agent"), "--from", ADDRESS, "--mode", "RW",
             "--allow-out", "@lab.example")
    assert r.rc == 0, str(r)
    accounts, lists, _ = first.rows()
    assert (accounts[0]["mode"], accounts[0]["whitelist_out_enabled"]) == ("RW", 1)
    assert lists == [[], [("@lab.example",)]]


@pytest.mark.parametrize("argv, says", [
    ((), "--path is missing"),
    (("--path", "/nonexistent"), "--path cannot be read"),
    (("--path", "/etc/hostname"), "--path is not a folder"),
    (("--path", "/tmp", "--imap-host", "i.example"), "--imap-host does not go with"),
    (("--path", "/tmp", "--username", "me"), "--username does not go with"),
    (("--path", "/tmp", "--password-stdin"), "a password does not go with"),
    (("--backend=imap",), "backend"),
])
def test_what_does_not_go_with_a_folder(first, argv, says):
    r = init(first, "--from", ADDRESS, *argv, stdin=PASSWORD)
    assert r.rc == 2 and says in r.err.decode(), str(r)
    assert first.nothing()


def test_a_folder_does_not_go_with_a_server(first):
    r = first.admin("init", "--from", ADDRESS, "--imap-host", "i.example", "--path", "/tmp",
                    "--password-stdin", "--no-test", stdin=PASSWORD,
                    env={"EMCLI_DB": str(first.db)})
    assert r.rc == 2 and b"--path does not go with --backend imap" in r.err, str(r)
    assert first.nothing()


def test_a_folder_that_is_no_maildir_is_not_kept(first, tmp_path):
    (tmp_path / "plain").mkdir()
    r = init(first, "--from", ADDRESS, "--path", tmp_path / "plain")
    assert r.rc == 2 and b"--path has no cur, new and tmp" in r.err, str(r)
    assert first.nothing()
    # Without a test, too: a folder is looked at, not tried.
    r = init(first, "--from", ADDRESS, "--path", tmp_path / "plain", "--no-test")
    assert r.rc == 2, str(r)


def test_a_server_after_all_is_still_near(first, site, dovecot):
    """Who chose a folder by mistake goes back and loses nothing."""
    r = init(first, "--path", site.path)
    assert r.rc == 2 and b"--from is missing" in r.err, str(r)
    with first.screen(**keys(first)) as s:
        s.wait("Mail address")
        s.type(ADDRESS)
        s.choose("Mail is kept by", "maildir")
        s.press("Enter")
        s.wait("Maildir\n")
        s.press("Escape")
        s.wait("Mail is kept by +maildir")
        s.choose("Mail is kept by", "imap")
        s.press("Enter")
        s.wait("IMAP server")
        s.press("C-c")
        assert s.end() == 2
    assert first.nothing()
