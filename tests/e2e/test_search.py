"""search: what can be asked, and how it goes on."""

from mail import message, subjects, uids

BOX = ("--account", "work", "--folder", "INBOX")


def filled(emcli, site, n=5):
    for i in range(n):
        to = "agent@lab.example" if i % 2 else "Carol <carol@example.org>"
        extra = "" if i % 2 else "Cc: =?utf-8?q?Zo=C3=AB?= <z@example.org>\r\n"
        site.clock = 1782000000 + 60 * i
        site.deliver("agent", message(subject=f"m{i}", to=to, extra=extra, mid=f"<s{i}@t>"))
    emcli.account_maildir(site.path, process_backlog=True)
    return lambda *argv: emcli.run("search", *BOX, *argv)


def test_by_recipient_in_to_or_cc(emcli, site):
    search = filled(emcli, site)
    assert subjects(search("--to", "CAROL")) == ["m4", "m2", "m0"]
    assert subjects(search("--to", "zo\u00eb")) == ["m4", "m2", "m0"]
    assert subjects(search("--to", "agent@lab")) == ["m3", "m1"]
    assert subjects(search("--to", "carol", "--subject-contains", "m2")) == ["m2"]
    assert subjects(search("--to", "alice")) == []


def test_by_message_id_whole(emcli, site):
    search = filled(emcli, site)
    for text in "<s3@t>", "s3@t", " <s3@t> ":
        assert subjects(search("--message-id", text)) == ["m3"]
    for text in "<s3@>", "s3", "<s33@t>", "3@t":
        assert subjects(search("--message-id", text)) == []


def test_it_says_that_it_was_cut_and_goes_on(emcli, site):
    search = filled(emcli, site)
    query = ("--text", "words", "--limit", "2")
    first = search(*query)
    assert subjects(first) == ["m4", "m3"]
    assert first.data["truncated"] is True and first.data["next_before"] == uids(first)[-1]
    told, before = subjects(first), first.data["next_before"]
    while before is not None:
        r = search(*query, "--before-uid", before)
        told += subjects(r)
        before = r.data["next_before"]
        assert r.data["truncated"] is (before is not None)
    assert told == ["m4", "m3", "m2", "m1", "m0"]
    assert search("--text", "words").data["truncated"] is False
