#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the input of bench/mime.sh: plain messages, and torture at n and 2n."""

import base64
import os
import random
import sys

WORDS = "the mail gate reads what it may and says what it did to whom".split()


def text(rnd, n):
    out, line = [], ""
    while n > 0:
        line += rnd.choice(WORDS) + " "
        if len(line) > 66:
            out.append(line.rstrip())
            n -= len(line) + 1
            line = ""
    return "\r\n".join(out) + "\r\n"


def message(rnd, i):
    plain = text(rnd, rnd.choice([300, 1500, 6000]))
    html = "<p>" + text(rnd, rnd.choice([2000, 12000])) + "caf=C3=A9=20</p>\r\n"
    head = (
        f"From: =?utf-8?Q?J=C3=B6rg?= <joerg{i}@a.example>\r\n"
        f"To: bob@b.example\r\nSubject: =?utf-8?B?R3LDvMOfZQ==?= {i}\r\n"
        "Date: Sun, 21 Jun 2026 10:00:00 +0200\r\n"
        f"Message-ID: <{i}@a.example>\r\nMIME-Version: 1.0\r\n"
        + "".join(f"Received: from h{k}.example by b.example;\r\n\tSun, 21 "
                  "Jun 2026 10:00:00 +0200\r\n" for k in range(6))
    )
    body = (
        "--a\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + plain +
        "--a\r\nContent-Type: text/html; charset=utf-8\r\n"
        "Content-Transfer-Encoding: quoted-printable\r\n\r\n" + html +
        "--a--\r\n"
    )
    if i % 2:
        return (head + "Content-Type: multipart/alternative; boundary=a"
                "\r\n\r\n" + body)
    data = base64.encodebytes(rnd.randbytes(rnd.choice([9000, 60000])))
    return (
        head + "Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\n"
        "Content-Type: multipart/alternative; boundary=a\r\n\r\n" + body +
        "--m\r\nContent-Type: application/pdf; name=a.pdf\r\n"
        "Content-Disposition: attachment; filename=a.pdf\r\n"
        "Content-Transfer-Encoding: base64\r\n\r\n" +
        data.decode().replace("\n", "\r\n") + "--m--\r\n"
    )


def nested(n):
    return "".join(f"Content-Type: multipart/mixed; boundary=b{i:06}\n\n--b{i:06}\n"
                   for i in range(n))


MULTI = "Content-Type: multipart/mixed; boundary=b\n\n"
TORTURE = {
    "nested": (10000, nested),
    "nested-more": (100000, nested),
    "rfc822": (100000, lambda n: "Content-Type: message/rfc822\n\n" * n),
    "parts": (100000, lambda n: MULTI + "--b\n\nx\n" * n),
    "empty-parts": (100000, lambda n: MULTI + "--b\n" * n),
    "headers": (100000, lambda n: "X-Header: value\n" * n),
    "addresses": (100000,
                  lambda n: "From: " + "a@b.example,\n " * n + "\n\n"),
    "groups": (50000, lambda n: "From: " + "g:" * n + "\n\n"),
    "parentheses": (1000000, lambda n: "From: " + "(" * n + "\n\n"),
    "params": (100000, lambda n: "Content-Type: text/plain" +
               "".join(f";\n name*{i}*=x" for i in range(n)) + "\n\n"),
    "words": (100000,
              lambda n: "Subject: " + "=?utf-8?Q?x?=\n " * n + "\n\n"),
    "half-words": (500000, lambda n: "Subject: " + "=?" * n + "\n\n"),
    "dashes": (1000000, lambda n: nested(64) + "\n" + "--\n" * n),
    "near-boundaries": (100000, lambda n: "".join(
        "Content-Type: multipart/mixed; boundary=%s%02d\n\n--%s%02d\n" %
        ("x" * 60, i, "x" * 60, i) for i in range(64)) +
        "\n" + ("--" + "x" * 60 + "zz\n") * n),
    "quoted-printable": (1000000, lambda n:
                         "Content-Transfer-Encoding: quoted-printable\n\n" +
                         "= " * n),
    "flowed": (500000, lambda n: "Content-Type: text/plain; format=flowed\n\n"
               + "> a \n>> b \n" * n),
    "references.html": (1000000, lambda n: "&" * n),
    "divs.html": (100000, lambda n: "<div>" * n),
    "attributes.html": (100000, lambda n: "<p " + "a=b " * n + ">"),
    "cells.html": (20000, lambda n: "<table><tr><td>x" * n),
    "quotes.html": (100000, lambda n: "<blockquote>x" * n),
    "links.html": (100000, lambda n: "<a href=http://x.example/>y" * n),
    "comments.html": (100000, lambda n: "<!-- -" * n),
}


def write(folder, name, data):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "w", encoding="utf-8",
              newline="") as out:
        out.write(data)


def main():
    folder, rnd = sys.argv[1], random.Random(1)
    for i in range(2000):
        write(f"{folder}/plain", f"{i}.eml", message(rnd, i))
    for name, (n, make) in TORTURE.items():
        stem, dot, ext = name.partition(".")
        for k in (1, 2):
            write(f"{folder}/torture", f"{stem}-{k}n{dot}{ext}", make(k * n))


main()
