# SPDX-License-Identifier: Apache-2.0
"""
Signing mail by DKIM (RFC 6376, RFC 8463), written apart from the program's way
of verifying it: whole texts and regular expressions, keys by the openssl tool.

    key = Key("rsa", 2048)
    key.record()                    the text of its TXT record
    key.sign(raw, "b.example")      raw with a DKIM-Signature on top
"""
import base64
import hashlib
import re
import subprocess
import tempfile


def openssl(*argv, stdin=b""):
    return subprocess.run(["openssl", *argv], input=stdin, capture_output=True,
                          check=True).stdout


def unfolded(value):
    return re.sub(r"[ \t]+", " ", re.sub(r"\r\n(?=[ \t])", "", value)).strip(" ")


def fields(head):
    """[(name, the field as it stands)] of a header, without its last line end."""
    return [(f.partition(":")[0].strip().lower(), f)
            for f in re.split(r"\r\n(?![ \t])", head)]


def canonical(field, how):
    if how == "simple":
        return field
    name, _, value = field.partition(":")
    return f"{name.strip().lower()}:{unfolded(value)}"


def canonical_body(body, how):
    if how == "relaxed":
        body = re.sub(r"[ \t]+", " ", body)
        body = re.sub(r" +(?=\r\n)", "", body)
    body = re.sub(r"(\r\n)*\Z", "", body)
    return body + "\r\n" if body or how == "simple" else ""


class Key:
    def __init__(self, kind="rsa", bits=2048):
        self.kind = kind
        argv = ["-algorithm", "RSA", "-pkeyopt", f"rsa_keygen_bits:{bits}"]
        self.pem = openssl("genpkey", *(argv if kind == "rsa" else ["-algorithm", "ED25519"]))

    def record(self, more=""):
        der = openssl("pkey", "-pubout", "-outform", "DER", stdin=self.pem)
        if self.kind != "rsa":
            der = der[-32:]
        kind = "rsa" if self.kind == "rsa" else "ed25519"
        return f"v=DKIM1; k={kind}; {more}p={base64.b64encode(der).decode()}"

    def signature(self, data):
        digest = hashlib.sha256(data).digest()
        with tempfile.NamedTemporaryFile() as pem, tempfile.NamedTemporaryFile() as what:
            pem.write(self.pem)
            pem.flush()
            if self.kind == "rsa":
                return openssl("dgst", "-sha256", "-sign", pem.name, stdin=data)
            what.write(digest)
            what.flush()
            return openssl("pkeyutl", "-sign", "-rawin", "-inkey", pem.name, "-in", what.name)

    def sign(self, raw, domain, selector="k", how="relaxed/relaxed",
             names="from:to:subject:date:message-id", more=""):
        head, _, body = raw.decode("latin-1").partition("\r\n\r\n")
        of_head, of_body = how.split("/")
        bh = base64.b64encode(hashlib.sha256(
            canonical_body(body, of_body).encode("latin-1")).digest()).decode()
        mine = (f"DKIM-Signature: v=1; a={self.kind}-sha256; c={how}; d={domain};\r\n"
                f"\ts={selector}; h={names};{more}\r\n\tbh={bh};\r\n\tb=")
        left, signed = fields(head), []
        for name in names.split(":"):
            for i in reversed(range(len(left))):
                if left[i][0] == name.lower():
                    signed.append(canonical(left.pop(i)[1], of_head) + "\r\n")
                    break
        data = "".join(signed) + canonical(mine, of_head)
        b = base64.b64encode(self.signature(data.encode("latin-1"))).decode()
        folded = "\r\n\t ".join(b[i:i + 64] for i in range(0, len(b), 64))
        return f"{mine}{folded}\r\n".encode("latin-1") + raw
