# gdb shows a struct str as its bytes and a struct err as what it says.  gdb
# reads this file where it may (see "info auto-load"), else: gdb -x .gdbinit
python
import gdb.printing


class Str:
    """The bytes of a str; a length that cannot be is said."""

    def __init__(self, v):
        self.v = v

    def to_string(self):
        n = int(self.v["n"])
        if n == 0:
            return '""'
        try:
            return self.v["p"].lazy_string(length=n) if n <= 4096 else \
                f"{n} bytes: {self.v['p'].string('latin-1', length=200)!r}..."
        except gdb.error as e:
            return f"{n} bytes at {self.v['p']}: {e}"


class Err:
    """Kind, what is said to the agent, and what goes to the audit log."""

    def __init__(self, v):
        self.v = v

    def to_string(self):
        if int(self.v["kind"]) == 0:
            return "no error"
        text = f"{self.v['kind']}: {self.v['say'].string('utf-8', 'replace')}"
        if int(self.v["reason"]) != 0:
            text += f" [{self.v['reason'].string()}]"
        detail = self.v["detail"].string("utf-8", "replace")
        return text + (f" ({detail})" if detail else "")


printers = gdb.printing.RegexpCollectionPrettyPrinter("emcli")
printers.add_printer("str", "^str$", Str)
printers.add_printer("err", "^err$", Err)
gdb.printing.register_pretty_printer(None, printers, replace=True)
end
