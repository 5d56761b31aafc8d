# SPDX-License-Identifier: Apache-2.0
"""account add with nothing but a name, at a terminal: it asks for all of it; and what it refuses of
a place that holds no mail."""
import bz2
import gzip
import json
import os
import subprocess

import pytest

import cli
import servers
import tui
from firstrun import PASSWORD
from mail import message
from test_admin import accounts, bad, good
from test_senders import BORDER, ID, PASS

ME = servers.address("agent")


def screen(emcli, *argv, **env):
    env = {"EMCLI_ADMIN_KEY": emcli.admin_key, "TERM": "xterm-256color", **env}
    for left in "status", "pid", "tmux":
        (emcli.folder / left).unlink(missing_ok=True)
    return tui.Screen([emcli.binary, "account", "add", "work", *argv],
                      emcli.environment(**env), emcli.folder)


def audited(emcli):
    out = good(emcli.admin("audit", "list", "--json"))
    return [(r["account"], r["action"], r["outcome"]) for r in json.loads(out)["audit"]]


def by_forms(emcli, dovecot, s):
    s.wait("Mail is kept by +imap[\\s\\S]*Account name +work")
    s.type(ME)
    s.choose("Agents may", "RW")
    s.press("Enter")
    s.wait("IMAP server")
    s.type(f"localhost:{dovecot.imaps}")
    s.fill("Private CA file", dovecot.ca)
    s.press("Enter")
    s.wait("Only listed senders +off[\\s\\S]*Only listed recipients +on")
    s.fill("Listed recipients", "bob@lab.example")
    s.press("Enter")
    s.wait("User name")
    s.type(PASSWORD)
    s.press("Enter")
    s.wait(r"imap.login +ok[\s\S]*PgDn: more[\s\S]*Write it down")
    s.press("PageDown")
    s.wait(r"Recipients: list on, 1 entry")
    assert accounts(emcli) == {}
    s.press("Enter")


def by_lines(emcli, dovecot, s):
    for question, answer in [
            ("Mail is kept by", ""), ("Mail address", ME), ("Account name", ""),
            ("Agents may", "RW"), ("IMAP server", f"localhost:{dovecot.imaps}"),
            ("IMAP port", ""), ("IMAP security", ""), ("SMTP server", ""), ("SMTP port", ""),
            ("SMTP security", ""), ("Sign in with", ""), ("Private CA file", dovecot.ca),
            ("Only listed senders", ""), ("Listed senders", ""), ("Only listed recipients", ""),
            ("Listed recipients", "bob@lab.example"), ("User name", ""), ("Password", PASSWORD),
            ("Write it down", "")]:
        s.wait(rf"{question}[^\n]*:$")
        s.type(answer)
        s.press("Enter")


@pytest.mark.parametrize("face, argv", [(by_forms, ()), (by_lines, ("--no-tui",))])
def test_it_asks_for_all_of_it(emcli, dovecot, face, argv):
    with screen(emcli, *argv) as s:
        face(emcli, dovecot, s)
        assert s.end() == 0
        after = s.text(history=True)
    assert "added work: imap, RW" in after and "emcli doctor --account work" in after
    assert PASSWORD not in after
    a = accounts(emcli)["work"]
    assert (a["mode"], a["from"], a["username"], a["whitelist_out"]) == ("RW", ME, ME, True)
    assert good(emcli.admin("whitelist", "out", "list", "--account", "work")).startswith(
        "bob@lab.example\n")
    assert audited(emcli)[0] == ("work", "account.add", "ok")
    assert emcli.run("doctor", "--account", "work").data["ok"] is True


def test_it_looks_whom_to_believe(emcli, site):
    site.deliver("agent", PASS + BORDER + message(subject="x"))
    with screen(emcli) as s:
        s.wait("Mail is kept by +imap")
        s.type(ME)
        s.choose("Mail is kept by", "maildir")
        s.press("Enter")
        s.wait("Maildir\n")
        s.type(str(site.box("agent")))
        s.press("Enter")
        s.wait("Only listed senders")
        s.press("Enter")
        s.wait(rf"Senders vouched by +{ID}[\s\S]*Proof of senders +dmarc")
        s.press("Enter")
        s.wait("Write it down")
        s.press("Enter")
        assert s.end() == 0
    a = accounts(emcli)["work"]
    assert (a["authserv_id"], a["whitelist_auth"]) == (ID, "dmarc")


def test_given_up_it_leaves_nothing(emcli):
    with screen(emcli) as s:
        s.wait("Mail address")
        s.type(ME)
        s.press("Enter")
        s.wait("IMAP server")
        s.press("C-c")
        assert s.end() == 2
        assert "nothing was written" in s.text()
    assert accounts(emcli) == {}
    assert audited(emcli)[0] == ("work", "account.add", "usage")


def test_a_name_that_is_taken_is_not_asked_about(emcli, site):
    emcli.account_maildir(site.path)
    with screen(emcli) as s:
        assert s.end() == 2
        assert "there is an account work already" in s.text()


def test_who_gives_options_is_asked_for_no_more(emcli):
    """As before: what is missing is said, or a password asked for."""
    with screen(emcli, "--from", ME, "--imap-host", "i.example", "--password-file",
                "/nonexistent") as s:
        assert s.end() == 2
        assert "--password-file cannot be read" in s.text()
    bad(emcli.admin("account", "add", "work"), "--imap-host is missing")


# -- a place that holds no mail

def plain(folder):
    (folder / "letters.txt").write_text("Dear all\n")
    return folder


PLACES = {
    "a folder is no Maildir": ("maildir", plain, "--path has no cur, new and tmp"),
    "half a Maildir": ("maildir", lambda f: (f / "cur").mkdir(), "--path has no cur, new and tmp"),
    "a text is no mbox": ("mbox", lambda f: plain(f) / "letters.txt", "--path is not an mbox"),
    "texts are no mboxes": ("mbox", plain, "none is an mbox"),
    "what is packed otherwise": (
        "mbox", lambda f: (f / "x.bz2").write_bytes(bz2.compress(b"From x\n")) and f / "x.bz2",
        "packed with bzip2"),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_place_without_mail_is_refused_with_what_to_do(emcli, tmp_path, place):
    backend, make, says = PLACES[place]
    folder = tmp_path / "place"
    folder.mkdir()
    path = make(folder) or folder
    for argv in (["account", "add", "work"], ["init", "--yes", "--no-test", "--account", "work"]):
        if argv[0] == "init" and backend == "mbox":
            continue
        r = emcli.admin(*argv, "--backend", backend, "--from", ME, "--path", path)
        assert r.rc == 2 and says in r.err.decode(), str(r)
        assert any(word in r.err.decode() for word in ("name ", "unpack it")), str(r)
    assert accounts(emcli) == {}


@pytest.mark.parametrize("name, data", [
    ("new.mbox", b""), ("blank.mbox", b"\n\nFrom x Mon Jun  1 10:00:00 2026\n\nx\n"),
    ("x.gz", gzip.compress(b"From x Mon Jun  1 10:00:00 2026\n\nx\n")), (None, None)],
    ids=["empty", "blank", "packed", "folder"])
def test_a_place_that_may_fill_is_taken(emcli, tmp_path, name, data):
    if name:
        (tmp_path / name).write_bytes(data)
    else:
        (tmp_path / "empty").mkdir()
    good(emcli.admin("account", "add", "work", "--backend", "mbox", "--path",
                     tmp_path / (name or "empty")))


def test_a_place_that_went_away_keeps_nobody_from_changing_the_rest(emcli, site):
    emcli.account_maildir(site.box("agent"))
    os.rename(site.box("agent"), f"{site.box('agent')}.away")
    good(emcli.admin("account", "edit", "work", "--mode", "RO"))
    bad(emcli.admin("account", "edit", "work", "--path", site.path), "--path has no cur")


@pytest.mark.skipif(os.getuid() != 0, reason="mounts")
@pytest.mark.parametrize("below", ["emcli.db", "deep/er/emcli.db"])
def test_a_place_that_cannot_be_written_to_is_told_as_such(tmp_path, below):
    e = cli.Emcli(tmp_path / "home")
    (tmp_path / "ro").mkdir()
    e.db = tmp_path / "ro" / below
    env = e.environment(EMCLI_KEY=e.agent_key, EMCLI_ADMIN_KEY=e.admin_key, EMCLI_DB=str(e.db))
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c",
         'mount -t tmpfs -o ro none "$1" && shift && exec "$@"', "sh", tmp_path / "ro",
         e.binary, "init"], env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    cli.no_report(done.stderr)
    said = done.stderr.decode()
    assert done.returncode == 1 and "Read-only file system" in said, said
    assert "EMCLI_DB" in said
