# SPDX-License-Identifier: Apache-2.0
"""Cyrus, for its JMAP and its IMAP: unpacked by cyrus/install, own folder, own ports."""

import base64
import hashlib
import hmac
import imaplib
import json
import os
import pathlib
import shutil
import subprocess
import time

import ports
import servers

UNPACKED = pathlib.Path(__file__).resolve().parents[2] / "build-cyrus" / "root"
JWT_KEY = b"a key that only this test run knows"


class Cyrus(servers.Server):
    """
    url is what --url takes.  smtp is the port that mail leaves by.  With tls,
    as Dovecot takes it, imaps is a port too.
    """

    def __init__(self, smtp=9, tls=None):
        if not (UNPACKED / "usr/lib/cyrus/bin/httpd").exists():
            raise RuntimeError("Cyrus is missing: run tests/e2e/cyrus/install")
        user, group, uid, gid = servers.server_user()
        self.run = servers.run_folder("cyrus")
        # Its user may not be let into the checkout's folder.
        self.root = pathlib.Path(self.run) / "root"
        shutil.copytree(UNPACKED, self.root, symlinks=True)
        self.imap, self.imaps, self.http = ports.free(3)
        self.url = f"http://127.0.0.1:{self.http}"
        for sub in ("conf", "spool", "proc", "lock", "tmp", "search", "jwt",
                    *(f"conf/{s}" for s in ("db", "socket", "log", "msg", "proc", "user",
                                            "quota", "lock", "sync", "ptclient"))):
            os.mkdir(f"{self.run}/{sub}")
        values = {"RUN": self.run, "BIN": self.root / "usr/lib/cyrus/bin", "USER": user,
                  "GROUP": group, "IMAP": self.imap, "HTTP": self.http, "SMTP": smtp, "IMAPS": ""}
        if tls is not None:
            self.ca = str(tls[2])
            for name, path in zip(("cert", "key"), tls):
                shutil.copy(path, f"{self.run}/{name}.pem")
            values["IMAPS"] = (f'imaps cmd="{values["BIN"]}/imapd -s -C {self.run}/imapd.conf" '
                               f'listen="127.0.0.1:{self.imaps}" proto="tcp4" prefork=0')
        for name in "imapd.conf", "cyrus.conf":
            servers.fill(name, f"{self.run}/{name}", values)
        if tls is not None:
            with open(f"{self.run}/imapd.conf", "a") as f:
                # No greeting tells emcli what it is.
                f.write("serverinfo: off\n"
                        f"tls_server_cert: {self.run}/cert.pem\n"
                        f"tls_server_key: {self.run}/key.pem\n")
        pathlib.Path(f"{self.run}/jwt/key.pem").write_bytes(
            b"-----BEGIN HMAC KEY-----\n" + base64.b64encode(JWT_KEY) +
            b"\n-----END HMAC KEY-----\n")
        self.environment = {
            "PATH": "/usr/bin:/bin:/usr/sbin", "CYRUS_USER": user,
            "LD_LIBRARY_PATH": ":".join(str(p) for p in self.root.glob("usr/lib/*-linux-gnu*"))}
        for name in servers.USERS:
            subprocess.run([self.root / "usr/sbin/saslpasswd2", "-p", "-c", "-f",
                            f"{self.run}/sasldb2", "-u", servers.DOMAIN, name],
                           input=servers.password(name).encode(), check=True,
                           env=self.environment)
        self.drop = {}
        if os.getuid() == 0:
            self.drop = {"user": uid, "group": gid, "extra_groups": []}
            for folder, _, files in os.walk(self.run):
                for path in [folder] + [os.path.join(folder, n) for n in files]:
                    os.chown(path, uid, gid, follow_symlinks=False)
        with open(f"{self.run}/stdout", "w") as out:
            self.process = subprocess.Popen(
                [self.root / "usr/sbin/cyrmaster", "-C", f"{self.run}/imapd.conf",
                 "-M", f"{self.run}/cyrus.conf", "-p", f"{self.run}/master.pid",
                 "-L", f"{self.run}/master.log", "-D"],
                stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                start_new_session=True, env=self.environment, **self.drop)
        try:
            for port in self.imap, self.http:
                ports.wait(port, log=f"{self.run}/stdout")
            for name in servers.USERS:
                self.client(name).logout()
        except (RuntimeError, OSError):
            self.stop()
            raise

    def client(self, user):
        """Somebody else's IMAP client, logged in."""
        c = imaplib.IMAP4("127.0.0.1", self.imap, timeout=60)
        c.login(servers.address(user), servers.password(user))
        return c

    def clear(self, user):
        """Empties every folder and drops those that are not there at first."""
        c = self.client(user)
        try:
            for line in c.list()[1]:
                name = line.decode().rpartition(' "/" ')[2].strip('"')
                if name not in ("INBOX", "Drafts", "Sent", "Trash", "Archive", "Junk"):
                    c.delete(f'"{name}"')
                    continue
                c.select(f'"{name}"')
                c.store("1:*", "+FLAGS.SILENT", r"(\Deleted)")
                c.expunge()
        finally:
            c.logout()

    def messages(self, user, folder="INBOX"):
        """(flags, raw) of every message of a folder, in order."""
        c = self.client(user)
        try:
            if c.select(folder, readonly=True)[0] != "OK":
                return []
            _, data = c.uid("FETCH", "1:*", "(FLAGS BODY.PEEK[])")
            return [(d[0].decode(), d[1]) for d in data if isinstance(d, tuple)]
        finally:
            c.logout()

    def index(self, user="agent"):
        """Waits for nobody: what is there can be searched for."""
        done = subprocess.run(
            [self.root / "usr/lib/cyrus/bin/squatter", "-C", f"{self.run}/imapd.conf",
             "-i", "-u", servers.address(user)], env=self.environment,
            capture_output=True, timeout=60, **self.drop)
        assert done.returncode == 0, done.stderr

    def token(self, user, age=0):
        """A bearer token the server takes for `user`; too old from an hour on."""
        def part(raw):
            return base64.urlsafe_b64encode(raw).rstrip(b"=")
        head = part(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
        body = part(json.dumps({"sub": servers.address(user),
                                "iat": int(time.time()) - age}).encode())
        sign = part(hmac.new(JWT_KEY, head + b"." + body, hashlib.sha256).digest())
        return (head + b"." + body + b"." + sign).decode()
