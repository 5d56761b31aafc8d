# SPDX-License-Identifier: Apache-2.0
"""Messages the tests make, one line each."""
import base64
import itertools

_n = itertools.count(1)


def message(sender="alice@lab.example", to="agent@lab.example", subject="plan",
            body="words\r\n", date="Sun, 21 Jun 2026 10:00:00 +0000", extra="",
            mid=None):
    """Raw RFC 5322 bytes; each with a Message-ID of its own."""
    mid = mid or "<m%d@tests.example>" % next(_n)
    head = ("From: %s\r\nTo: %s\r\nSubject: %s\r\nDate: %s\r\n"
            "Message-ID: %s\r\n" % (sender, to, subject, date, mid))
    return (head + extra + "\r\n" + body).encode("utf-8", "surrogateescape")


def addresses(row, key):
    return [a["address"] for a in row[key]]


def uids(reply):
    return [m["uid"] for m in reply.json["data"]["messages"]]


def subjects(reply):
    return [m["subject"] for m in reply.json["data"]["messages"]]


def mutf7(name):
    """A folder's name as IMAP spells it, RFC 3501 section 5.1.3."""
    out, run = "", ""
    for c in name + "\0":
        if run and " " <= c <= "~" or run and c == "\0":
            b = base64.b64encode(run.encode("utf-16-be")).decode()
            out += "&" + b.rstrip("=").replace("/", ",") + "-"
            run = ""
        if c == "&":
            out += "&-"
        elif " " <= c <= "~":
            out += c
        elif c != "\0":
            run += c
    return '"%s"' % out
