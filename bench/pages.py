#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""
Every page of the threads of a long mailbox, in each kind of store: that each
thread is on one page, what a page takes, and what a store is asked for it.
Prints rows of the table in bench/README.md.

    bench/pages.py [--messages N] [--threads N] [--limit N] [STORE ...]

STORE is gmail, jmap, dovecot or maildir.  Gmail and JMAP are doubles that make
their mail when they are asked for it.  Threads grow side by side: about twenty
at a time, as on a list, or with --apart all of them, which is the worst case.
"""
import argparse
import calendar
import os
import pathlib
import random
import re
import resource
import shutil
import sys
import tempfile
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
os.environ.setdefault("EMCLI_BIN", str(ROOT / "build" / "emcli"))

import cli  # noqa: E402
import google  # noqa: E402
import introspect  # noqa: E402
import jmapd  # noqa: E402
import servers  # noqa: E402
import tlslab  # noqa: E402

START, STEP = 1704067200, 300  # 2024-01-01, a message every five minutes
ME, TOKEN = "agent@lab.example", "bench"
SINCE = "2023-12-31"


def stamp(s):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(s))


class Mail:
    """Oldest first: the thread of each message, and the one it answers."""

    def __init__(self, messages, threads, apart):
        each, r = messages // threads, random.Random(1)
        if apart:
            self.thread = [i % threads for i in range(messages)]
        else:
            order = sorted((t * each + r.randrange(20 * each), t)
                           for t in range(threads) for _ in range(each))
            self.thread = [t for _, t in order]
        self.of, self.up = [[] for _ in range(threads)], []
        for i, t in enumerate(self.thread):
            self.up.append(self.of[t][-1] if self.of[t] else None)
            self.of[t].append(i)

    def at(self, i):
        return START + STEP * i

    def head(self, i):
        """As (name, value) in order."""
        up = self.up[i]
        return [("From", "Ann <ann@lab.example>"), ("To", ME), ("Subject", f"s{self.thread[i]}"),
                ("Date", time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(self.at(i)))),
                ("Message-ID", f"<m{i}@lab.example>"),
                *([("In-Reply-To", f"<m{up}@lab.example>")] if up is not None else [])]

    def raw(self, i):
        return ("".join(f"{k}: {v}\n" for k, v in self.head(i)) + "\nx\n").encode()

    def between(self, after, before):
        """Messages of these seconds, newest first."""
        first = max(0, -(-(after - START) // STEP))
        end = min(len(self.thread), -(-(before - START) // STEP))
        return range(end - 1, first - 1, -1)


class Jmap(jmapd.Jmapd):
    def __init__(self, mail):
        super().__init__()
        self.all, self.requests = mail, 0
        self.inbox = self.folder("Inbox").id

    def serve(self, h, body):
        self.requests += 1
        self.log.clear()
        return super().serve(h, body)

    def Mailbox_get(self, args):
        out = super().Mailbox_get(args)
        for box in out["list"]:
            box["totalEmails"] = len(self.all.thread) * (box["id"] == self.inbox)
        return out

    def Email_query(self, args):
        f, at, limit = args["filter"], args.get("position", 0), args.get("limit", 500)

        def second(key, default):
            return calendar.timegm(time.strptime(f[key], "%Y-%m-%dT%H:%M:%SZ")) \
                if key in f else default
        found = self.all.between(second("after", 0), second("before", 1 << 40)) \
            if f["inMailbox"] == self.inbox else ()
        return {"queryState": "1", "position": at, "canCalculateChanges": False, "limit": limit,
                "ids": [f"M{i}" for i in found[at:at + limit]]}

    def Email_get(self, args):
        out = []
        for id in args["ids"]:
            i = int(id[1:])
            head = self.all.head(i)
            whole = {"id": id, "blobId": "G" + id, "threadId": f"T{self.all.thread[i]}",
                     "mailboxIds": {self.inbox: True}, "size": 300, "keywords": {},
                     "receivedAt": stamp(self.all.at(i)), "hasAttachment": False,
                     "headers": [{"name": k, "value": " " + v} for k, v in head]}
            out.append({k: whole[k] if k in whole else
                        [v for n, v in head if n == k.split(":")[1]] for k in args["properties"]})
        return {"state": "1", "notFound": [], "list": out}

    def Thread_get(self, args):
        return {"state": "1", "notFound": [], "list": [
            {"id": t, "emailIds": [f"M{i}" for i in self.all.of[int(t[1:])]]}
            for t in args["ids"]]}

    def account(self, e):
        e.set_up("account", "add", "work", "--password-stdin", *e.options({
            "backend": "jmap", "url": self.url, "from": ME, "username": ME,
            "process_backlog": True}), stdin=servers.password("agent"))


class Gmail(google.Google):
    def __init__(self, mail):
        super().__init__("http://127.0.0.1:9")
        self.all, self.requests = mail, 0
        self.live.add(TOKEN)

    def serve(self, h, body):
        self.requests += 1
        self.forget()
        return super().serve(h, body)

    def admit(self, h, path):
        return 200, {}, {}

    def message(self, i):
        return {"id": f"{i:016x}", "threadId": f"{self.all.thread[i]:x}", "labelIds": ["INBOX"],
                "internalDate": str(self.all.at(i) * 1000), "sizeEstimate": 300,
                "payload": {"partId": "", "mimeType": "text/plain", "filename": "",
                            "body": {"size": 2},
                            "headers": [{"name": k, "value": v} for k, v in self.all.head(i)]}}

    def do(self, h, method, path, body):
        url = urllib.parse.urlsplit(path)
        q = dict(urllib.parse.parse_qsl(url.query))
        what = url.path[len(google.ME):]
        kind, _, id = what[1:].partition("/")
        if kind == "labels":
            labels = [{"id": n, "name": n, "type": "system"} for n in ("INBOX", "SENT", "DRAFT")]
            return 200, {}, {"messagesTotal": len(self.all.thread)} if id else {"labels": labels}
        if kind == "messages" and not id:
            return 200, {}, self.list(q)
        if kind == "messages":
            return 200, {}, self.message(int(id, 16))
        if kind == "threads":
            return 200, {}, {"messages": [self.message(i) for i in self.all.of[int(id, 16)]]}
        return 404, {}, google.error(404, "notFound")

    def list(self, q):
        said = {k: int(v) for k, v in re.findall(r"(after|before):(\d+)", q.get("q", ""))}
        found = self.all.between(said.get("after", 0), said.get("before", 1 << 40)) \
            if q.get("labelIds") == "INBOX" else ()
        at, n = int(q.get("pageToken", 0)), int(q["maxResults"])
        page = {"messages": [{"id": f"{i:016x}"} for i in found[at:at + n]]}
        if at + n < len(found):
            page["nextPageToken"] = str(at + n)
        return page

    def account(self, e):
        e.set_up("account", "add", "work", "--password-stdin", *e.options({
            "backend": "gmail", "auth": "oauth2", "url": self.base, "from": ME, "username": ME,
            "process_backlog": True}), stdin=TOKEN)


def into(cur, mail):
    owner = cur.stat()
    for i in range(len(mail.thread)):
        path = cur / f"{mail.at(i)}.M1P1.bench:2,S"
        path.write_bytes(mail.raw(i))
        os.utime(path, (mail.at(i), mail.at(i)))
        os.chown(path, owner.st_uid, owner.st_gid)


class Maildir:
    requests = 0

    def __init__(self, mail):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="emcli-bench-"))
        for half in "cur", "new", "tmp":
            (self.path / ME / half).mkdir(parents=True)
        into(self.path / ME / "cur", mail)

    def stop(self):
        shutil.rmtree(self.path)

    def account(self, e):
        e.account_maildir(self.path, process_backlog=True)


class Dovecot:
    requests = 0

    def __init__(self, mail):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="emcli-bench-"))
        self.intro = introspect.Introspection()
        self.server = servers.Dovecot(tlslab.make(self.path / "tls").good, self.intro.port,
                                      served=1)
        self.server.append("agent", b"From: a@lab.example\r\n\r\nfirst\r\n")
        self.server.clear("agent")
        into(pathlib.Path(self.server.run) / "home" / ME / "Maildir/cur", mail)
        c = self.server.client("agent")
        c.select("INBOX", readonly=True)
        c.uid("FETCH", "1:*", "(RFC822.SIZE ENVELOPE)")
        c.logout()

    def stop(self):
        self.server.stop()
        self.intro.stop()
        shutil.rmtree(self.path)

    def account(self, e):
        e.account_imap(self.server, process_backlog=True)


STORES = {"gmail": Gmail, "jmap": Jmap, "dovecot": Dovecot, "maildir": Maildir}


def measure(name, mail, limit):
    folder = tempfile.mkdtemp(prefix="emcli-bench-")
    store = STORES[name](mail)
    try:
        e = cli.Emcli(folder)
        e.init()
        store.account(e)
        cursor, met, took, empty, before = (), [], [], 0, store.requests
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        while cursor is not None:
            begun = time.monotonic()
            data = e.run("list-recent-threads", "--account", "work", "--since", SINCE, "--limit",
                         limit, *cursor, timeout=600).data
            took.append(time.monotonic() - begun)
            empty += not data["threads"]
            met += [int(t["subject"][1:]) for t in data["threads"]]
            assert all(t["message_count"] == len(mail.of[int(t["subject"][1:])])
                       for t in data["threads"])
            cursor = data["next_cursor"] and ("--cursor", data["next_cursor"])
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - used
        last = sorted(range(len(mail.of)), key=lambda t: -mail.of[t][-1])
        assert met == last, (len(met), len(set(met)), len(last))
        print(f"| {name} | {len(took)}, {empty} empty | {used / len(took):.2f} s | "
              f"{sorted(took)[len(took) // 2]:.1f} s, {max(took):.1f} s | "
              f"{(store.requests - before) / len(took):.0f} |", flush=True)
    finally:
        store.stop()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--messages", type=int, default=100000)
    p.add_argument("--threads", type=int, default=10000)
    p.add_argument("--limit", type=int, default=500)
    p.add_argument("--apart", action="store_true")
    p.add_argument("store", nargs="*", default=list(STORES))
    o = p.parse_args()
    mail = Mail(o.messages, o.threads, o.apart)
    for name in o.store:
        measure(name, mail, o.limit)


if __name__ == "__main__":
    main()
