# SPDX-License-Identifier: Apache-2.0
"""Certificates for tests, made by the openssl command.

`make(folder)` gives an object with one attribute for each of these, a tuple
(certificate, key, ca.crt) of paths; the folder holds NAME.crt and NAME.key:

    ca          the authority the client under test trusts (the path alone)
    otherca     an authority nobody trusts (the path alone)
    good        for localhost, 127.0.0.1 and .2, ::1 and *.lab.example, by ca
    wronghost   for wrong.lab.invalid only, by ca
    expired     as good, but ended in 2020
    future      as good, but begins in 2090
    selfsigned  as good, signed by itself
    untrusted   as good, by otherca

Called twice on one folder it makes nothing anew.
"""

import base64
import hashlib
import pathlib
import subprocess
import sys

NAMES = ("DNS:localhost,DNS:*.lab.example,"
         "IP:127.0.0.1,IP:127.0.0.2,IP:0:0:0:0:0:0:0:1")
WRONG = "DNS:wrong.lab.invalid"

CA_CONF = """\
[ca]
default_ca = lab
[lab]
database = {folder}/index.txt
new_certs_dir = {folder}
rand_serial = yes
default_md = sha256
policy = any
unique_subject = no
copy_extensions = copy
[any]
commonName = supplied
"""


LEAVES = ("good", "wronghost", "expired", "future", "selfsigned", "untrusted")


class Certs:
    def __init__(self, folder):
        self.folder = folder
        self.ca = str(folder / "ca.crt")
        self.otherca = str(folder / "otherca.crt")
        for name in LEAVES:
            setattr(self, name, (str(folder / f"{name}.crt"),
                                 str(folder / f"{name}.key"), self.ca))


def openssl(*args):
    subprocess.run(["openssl", *map(str, args)], check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                   stderr=subprocess.PIPE)


# Quick to make, and to answer a handshake with.
KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")


def _request(folder, name, names):
    openssl("req", "-new", *KEY,
            "-subj", f"/CN={name}", "-addext", f"subjectAltName={names}",
            "-keyout", folder / f"{name}.key", "-out", folder / f"{name}.csr")


def _authority(folder, name):
    openssl("req", "-x509", *KEY, "-days", "3650",
            "-subj", f"/CN=lab {name}",
            "-addext", "basicConstraints=critical,CA:TRUE",
            "-addext", "keyUsage=critical,keyCertSign,cRLSign",
            "-keyout", folder / f"{name}.key", "-out", folder / f"{name}.crt")


def _sign(folder, name, authority, start="20200101000000Z",
          end="20491231235959Z"):
    openssl("ca", "-batch", "-notext", "-config", folder / "ca.conf",
            "-cert", folder / f"{authority}.crt",
            "-keyfile", folder / f"{authority}.key",
            "-startdate", start, "-enddate", end,
            "-in", folder / f"{name}.csr", "-out", folder / f"{name}.crt")


def make(folder):
    folder = pathlib.Path(folder).absolute()
    if (folder / "done").exists():
        return Certs(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.txt").write_text("")
    (folder / "ca.conf").write_text(CA_CONF.format(folder=folder))
    _authority(folder, "ca")
    _authority(folder, "otherca")
    for name in ("good", "expired", "future", "untrusted"):
        _request(folder, name, NAMES)
    _request(folder, "wronghost", WRONG)
    _sign(folder, "good", "ca")
    _sign(folder, "wronghost", "ca")
    _sign(folder, "expired", "ca", "20190101000000Z", "20200101000000Z")
    _sign(folder, "future", "ca", "20900101000000Z", "20910101000000Z")
    _sign(folder, "untrusted", "otherca")
    openssl("req", "-x509", *KEY, "-days", "3650",
            "-subj", "/CN=selfsigned", "-addext", f"subjectAltName={NAMES}",
            "-keyout", folder / "selfsigned.key",
            "-out", folder / "selfsigned.crt")
    (folder / "done").write_text("")
    return Certs(folder)


def pin(cert):
    """The base64 of SHA-256 over a certificate's SPKI: what --pin takes."""
    key = subprocess.run(["openssl", "x509", "-in", str(cert), "-noout",
                          "-pubkey"], check=True, stdout=subprocess.PIPE)
    der = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "DER"],
                         check=True, input=key.stdout, stdout=subprocess.PIPE)
    return base64.b64encode(hashlib.sha256(der.stdout).digest()).decode()


if __name__ == "__main__":
    print(make(sys.argv[1]).folder)
