# SPDX-License-Identifier: Apache-2.0
"""Dovecot and Postfix as a test wants them: own folders, own ports, real TLS."""

import grp
import imaplib
import os
import pathlib
import pwd
import shutil
import smtplib
import ssl
import subprocess
import tempfile
import time

import ports
from mail import mutf7

CONF = pathlib.Path(__file__).parent / "conf"
DOMAIN = "lab.example"
USERS = ("agent", "alice", "bob")
# Folders that Dovecot makes by itself: conf/dovecot.conf.
AUTO = ("Drafts", "Sent", "Trash", "Junk", "Archive")
# A limit for each mailbox, in KiB: of Dovecot 2.3, and of 2.4.
QUOTA = ("""
mail_plugins = quota
protocol imap {
  mail_plugins = quota imap_quota
}
plugin {
  quota = maildir:User quota
  quota_rule = *:storage=%dK
}
""", """
mail_plugins {
  quota = yes
}
protocol imap {
  mail_plugins {
    imap_quota = yes
  }
}
quota "User quota" {
  storage_size = %dK
}
""")
# More settings of Dovecot: all that emcli uses but MOVE.
WITHOUT_MOVE = ("imap_capability = IMAP4rev1 SASL-IR LITERAL+ ID ENABLE IDLE SPECIAL-USE "
                "LIST-EXTENDED UIDPLUS ESEARCH\n")


def address(user):
    return user if "@" in user else f"{user}@{DOMAIN}"


def password(user):
    return "secret-" + address(user).partition("@")[0]


def server_user():
    """Who a server runs as: nobody of importance when we are root."""
    name = "mail" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
    entry = pwd.getpwnam(name)
    return name, grp.getgrgid(entry.pw_gid).gr_name, entry.pw_uid, entry.pw_gid


def fill(name, target, values):
    """Writes a file of conf/ with @NAME@ replaced; none may be left over."""
    text = (CONF / name).read_text()
    for key, value in values.items():
        text = text.replace(f"@{key}@", str(value))
    pathlib.Path(target).write_text(text)


def run_folder(prefix):
    """A folder that a server's own user can reach, wherever pytest keeps its."""
    run = tempfile.mkdtemp(prefix=f"emcli-{prefix}-", dir="/tmp")
    os.chmod(run, 0o755)
    return run


def need(program, package):
    path = shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    if path is None:
        raise RuntimeError(f"{program} is missing: install {package}")
    return path


class Server:
    """One process of ours in a folder of its own, with IMAP."""

    def append(self, user, message, folder="INBOX", flags="", date=None):
        """Puts a message into a folder; its uid."""
        c = self.client(user)
        try:
            c.create(folder)
            kind, data = c.append(folder, flags, date, message)
            assert kind == "OK", data
            # [APPENDUID validity uid], RFC 4315.
            return int(data[0].split(b"]")[0].split()[-1])
        finally:
            c.logout()

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)
        shutil.rmtree(self.run, ignore_errors=True)


class Dovecot(Server):
    """
    imap and imaps are ports on 127.0.0.1; on 127.0.0.2 the same ports show
    LOGINDISABLED before STARTTLS.  tls is (certificate, key, CA), all files.
    served is how many connections a process takes before another is begun,
    which costs more than most answers; 0 is no end, Dovecot's own is 1.
    more is put at the end of its settings, and so is a limit for each mailbox.
    """

    host = "localhost"
    postfix = None  # the one that delivers here

    def __init__(self, tls, intro_port=9, mechs="plain login xoauth2 oauthbearer",
                 served=0, more="", quota_kib=0):
        self.cert, self.key, self.ca = (str(p) for p in tls)
        self.program = need("dovecot", "dovecot-imapd dovecot-lmtpd")
        self.run = run_folder("dovecot")
        self.imap, self.imaps, self.lmtp, self.auth = ports.free(4)
        user, group, uid, gid = server_user()
        for sub in "base", "state", "home":
            os.mkdir(f"{self.run}/{sub}")
        # The server reads the key as its own user.
        for name in "cert", "key":
            shutil.copy(getattr(self, name), f"{self.run}/{name}.pem")
        values = {
            "RUN": self.run, "USER": user, "GROUP": group, "MECHS": mechs,
            "CERT": f"{self.run}/cert.pem", "KEY": f"{self.run}/key.pem",
            "IMAP": self.imap, "IMAPS": self.imaps, "LMTP": self.lmtp,
            "AUTH": self.auth, "INTRO": intro_port, "SERVED": served,
        }
        # 2.4 has another language than 2.3, and needs no second file.
        version = subprocess.run([self.program, "--version"], capture_output=True,
                                 text=True, check=True).stdout
        old = version.startswith("2.3")
        if not old and not served:
            values["SERVED"] = "unlimited"
        fill("dovecot.conf" if old else "dovecot-2.4.conf", f"{self.run}/dovecot.conf", values)
        with open(f"{self.run}/dovecot.conf", "a") as f:
            f.write(more)
            if quota_kib:
                f.write(QUOTA[not old] % quota_kib)
        fill("oauth2.conf", f"{self.run}/oauth2.conf", values)
        with open(f"{self.run}/users", "w") as f:
            for u in USERS:
                f.write(f"{address(u)}:{password(u)}::::::\n")
        pathlib.Path(f"{self.run}/log").touch()
        if os.getuid() == 0:
            for folder, _, files in os.walk(self.run):
                for path in [folder] + [os.path.join(folder, n) for n in files]:
                    os.chown(path, uid, gid)
        self.drop = {} if os.getuid() != 0 else {"user": uid, "group": gid, "extra_groups": []}
        with open(f"{self.run}/stdout", "w") as out:
            self.process = subprocess.Popen(
                [self.program, "-F", "-c", f"{self.run}/dovecot.conf"],
                stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                start_new_session=True, **self.drop)
        try:
            for port in self.imap, self.imaps, self.lmtp, self.auth:
                ports.wait(port, log=f"{self.run}/log", process=self.process)
        except RuntimeError as e:
            said = pathlib.Path(f"{self.run}/stdout").read_text(errors="replace")
            self.stop()
            raise RuntimeError(f"{e}\n{said}") from None

    def log(self):
        with open(f"{self.run}/log", errors="replace") as f:
            return f.read()

    def doveadm(self, *argv):
        """doveadm against this instance; its standard output."""
        r = subprocess.run(
            [need("doveadm", "dovecot-core"), "-c", f"{self.run}/dovecot.conf", *argv],
            capture_output=True, timeout=120, **self.drop)
        if r.returncode != 0:
            raise RuntimeError(r.stderr.decode(errors="replace"))
        return r.stdout.decode(errors="replace")

    def deliver(self, user, message):
        """Into the INBOX by LMTP, as mail from outside comes."""
        with smtplib.LMTP("127.0.0.1", self.lmtp) as c:
            c.ehlo_or_helo_if_needed()
            c.sendmail("outside@elsewhere.example", [address(user)], message)

    def client(self, user):
        """Somebody else's IMAP client, logged in."""
        tls = ssl.create_default_context(cafile=self.ca)
        c = imaplib.IMAP4_SSL(self.host, self.imaps, ssl_context=tls, timeout=60)
        c.login(address(user), password(user))
        return c

    def settle(self, seconds=60):
        """Waits for what was sent already, which would come into a mailbox that is empty by then."""
        end = time.monotonic() + seconds
        while self.postfix is not None and self.postfix.is_busy() and time.monotonic() < end:
            time.sleep(0.02)

    def clear(self, user):
        """Empties every folder; UIDVALIDITY stays."""
        box = pathlib.Path(self.run, "home", address(user), "Maildir")
        if any(f.is_file() for half in ("cur", "new") for f in box.glob(f"**/{half}/*")):
            self.doveadm("expunge", "-u", address(user), "mailbox", "*", "ALL")

    def delete_folders(self, user):
        """Deletes each that a test has made: all but those that the settings make."""
        box = pathlib.Path(self.run, "home", address(user), "Maildir")
        made = {f.name[1:] for f in box.glob(".*/") if f.name[1:] not in AUTO}
        names = made and self.doveadm("mailbox", "list", "-u", address(user)).splitlines()
        for name in names:
            if mutf7(name).strip('"').replace("/", ".") in made:
                self.doveadm("mailbox", "delete", "-u", address(user), name)

    def flags(self, user, uid, folder="INBOX"):
        c = self.client(user)
        try:
            c.select(folder, readonly=True)
            _, data = c.uid("FETCH", str(uid), "(FLAGS)")
            return data[0].decode() if data and data[0] else ""
        finally:
            c.logout()

    def messages(self, user, folder="INBOX"):
        """Every message of a folder, raw, in order."""
        c = self.client(user)
        try:
            if c.select(folder, readonly=True)[0] != "OK":
                return []
            _, data = c.uid("FETCH", "1:*", "(BODY.PEEK[])")
            return [d[1] for d in data if isinstance(d, tuple)]
        finally:
            c.logout()

    def wait_for(self, user, needle, folder="INBOX", seconds=60):
        """The first message with these bytes in it, once it has come."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for raw in self.messages(user, folder):
                if needle in raw:
                    return raw
            time.sleep(0.1)
        raise AssertionError(f"no message with {needle!r} came to {user}")


class Postfix:
    """
    submission (STARTTLS) and submissions (TLS) want a login, checked by
    Dovecot; smtp is mail from outside.  Accepted mail goes into Dovecot.
    defer@, reject@ and drop421@ are refused at RCPT with 451, 550 and 421.
    """

    host = "localhost"

    def __init__(self, tls, dovecot):
        if os.getuid() != 0:
            raise RuntimeError("Postfix needs root: run the check as root or with sudo")
        self.program = need("postfix", "postfix")
        cert, key, _ = (str(p) for p in tls)
        self.run = run_folder("postfix")
        self.smtp, self.submission, self.submissions = ports.free(3)
        self.etc = f"{self.run}/etc"
        for sub in "etc", "spool", "data":
            os.mkdir(f"{self.run}/{sub}")
        names = [*USERS, "defer", "reject", "drop421"]
        values = {
            "RUN": self.run, "CERT": cert, "KEY": key,
            "LMTP": dovecot.lmtp, "AUTH": dovecot.auth, "SMTP": self.smtp,
            "SUBMISSION": self.submission, "SUBMISSIONS": self.submissions,
            "BOXES": ", ".join("{%s=1}" % address(n) for n in names),
        }
        for name in "main.cf", "master.cf":
            fill(name, f"{self.etc}/{name}", values)
        for name in "postfix-files", "dynamicmaps.cf":
            shutil.copy(f"/etc/postfix/{name}", self.etc)
        for name in "postfix-files.d", "dynamicmaps.cf.d":
            if os.path.isdir(f"/etc/postfix/{name}"):
                shutil.copytree(f"/etc/postfix/{name}", f"{self.etc}/{name}")
        shutil.chown(f"{self.run}/data", "postfix")
        self.postfix("check")
        self.postfix("start")
        try:
            for port in self.smtp, self.submission, self.submissions:
                ports.wait(port, log=f"{self.run}/maillog")
        except RuntimeError:
            self.stop()
            raise
        dovecot.postfix = self

    def is_busy(self):
        """Has it accepted what is not delivered yet?"""
        return any(names for queue in ("maildrop", "incoming", "active")
                   for _, _, names in os.walk(f"{self.run}/spool/{queue}"))

    def postfix(self, *argv):
        r = subprocess.run([self.program, "-c", self.etc, *argv],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, timeout=120)
        if r.returncode != 0:
            raise RuntimeError(f"postfix {argv}: {r.stdout.decode(errors='replace')}")

    def log(self):
        with open(f"{self.run}/maillog", errors="replace") as f:
            return f.read()

    def stop(self):
        try:
            with open(f"{self.run}/spool/pid/master.pid") as f:
                ports.stop(int(f.read().split()[0]))
        except OSError:
            pass
        shutil.rmtree(self.run, ignore_errors=True)
