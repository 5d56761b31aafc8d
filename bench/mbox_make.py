# SPDX-License-Identifier: Apache-2.0
"""A mailing list of ours as an mbox: COUNT FILE [BYTES of a body]."""

import random
import sys

COUNT, FILE = int(sys.argv[1]), sys.argv[2]
SIZE = int(sys.argv[3]) if len(sys.argv) > 3 else 8000
WORDS = ("the quick brown fox jumps over a lazy dog while release candidate vote passes with "
         "binding votes please review patch attached below regards").split()

rng = random.Random(1)
lines = [" ".join(rng.choice(WORDS) for _ in range(11)) for _ in range(500)]


def head(i):
    at = f"06:04:{i % 60:02d}"
    yield f"From dev-return-{i}@example.org Wed Nov  {1 + i % 9} {at} 2017"
    for k in range(6):
        yield (f"Received: from mx{k}.example.org (mx{k}.example.org [192.0.2.{k}])\n"
               f"\tby mail{k}.example.org with ESMTP id ABCDEF{i:08d}\n"
               f"\tfor <dev@example.org>; Wed, 1 Nov 2017 {at} +0000 (UTC)")
    yield "List-Id: <dev.example.org>\nDelivered-To: mailing list dev@example.org"
    yield "MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8"
    yield f"From: Person {i % 997} <p{i % 997}@example.org>\nTo: dev@example.org"
    yield f"Subject: Re: [VOTE] release {i % 333}\nDate: Wed, 1 Nov 2017 {at} +0000"
    yield f"Message-ID: <m{i}@example.org>"
    if i % 3:
        yield f"In-Reply-To: <m{i - 1}@example.org>"
        yield f"References: <m{i - 2}@example.org>\n <m{i - 1}@example.org>"


with open(FILE, "w") as f:
    for i in range(COUNT):
        f.write("\n".join(head(i)) + "\n\n")
        left = rng.randint(SIZE // 4, SIZE * 7 // 4)
        while left > 0:
            line = rng.choice(lines)
            f.write(line + "\n")
            left -= len(line) + 1
        f.write("\n")
