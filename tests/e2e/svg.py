# SPDX-License-Identifier: Apache-2.0
"""A terminal's lines as a picture, and back: the text in it is text, in the reader's own font."""

import html
import re
import unicodedata

COLUMN, ROW, MARGIN = 8.4, 17, 12
STYLE = ("text { font: 14px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; "
         "white-space: pre; fill: #d8d8d8 }")
# The first sixteen colours, for a dark ground.
BASE = ["#2e3436", "#ef6b6b", "#8ae234", "#fce94f", "#7aa6da", "#c397d8", "#70c0b1", "#d8d8d8",
        "#888a85", "#ff8f8f", "#b5f26d", "#fff49b", "#a5c8f0", "#dfc2ee", "#9fe0d4", "#ffffff"]
SGR = re.compile(r"\x1b\[([0-9;:]*)m")
LINE = re.compile(r'<text y="([\d.]+)">(.*?)</text>')


def colour(n):
    """One of 256."""
    if n < 16:
        return BASE[n]
    if n >= 232:
        return "#" + f"{8 + 10 * (n - 232):02x}" * 3
    steps = [0, 95, 135, 175, 215, 255]
    n -= 16
    return "#" + "".join(f"{steps[v]:02x}" for v in (n // 36, n // 6 % 6, n % 6))


class Pen:
    """What a select-graphic-rendition sequence leaves (ECMA-48, 8.3.117)."""

    def __init__(self):
        self.clear()

    def clear(self):
        self.fill = self.ground = None
        self.bold = self.faint = self.turned = False

    def take(self, words):
        v = [int(w or 0) for w in re.split("[;:]", words)]
        while v:
            n = v.pop(0)
            if n in (38, 48) and v[:1] == [5]:
                self.put(n == 38, colour(v[1]))
                del v[:2]
            elif n in (38, 48) and v[:1] == [2]:
                self.put(n == 38, "#" + "".join(f"{x:02x}" for x in v[1:4]))
                del v[:4]
            else:
                self.one(n)

    def put(self, front, value):
        if front:
            self.fill = value
        else:
            self.ground = value

    def one(self, n):
        if n == 0:
            self.clear()
        elif n in (1, 22):
            self.bold, self.faint = n == 1, False
        elif n == 2:
            self.faint = True
        elif n in (7, 27):
            self.turned = n == 7
        elif n in (39, 49):
            self.put(n == 39, None)
        elif 30 <= n % 60 <= 37 or 40 <= n % 60 <= 47:
            self.put(n % 60 < 40, BASE[n % 10 + (8 if n >= 90 else 0)])

    def style(self):
        front, ground = self.fill, self.ground
        if self.turned:
            front, ground = ground or "#16181c", front or "#d8d8d8"
        if self.faint and not front:
            front = "#8a8f98"
        return front, ground, self.bold


def width(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else not unicodedata.combining(c)
               for c in text)


def runs(line):
    """(column, text, style) of a line, without blanks that show nothing."""
    pen, at, column = Pen(), 0, 0
    parts = []
    for m in [*SGR.finditer(line), None]:
        text = line[at:m.start() if m else len(line)]
        if text:
            parts.append((column, text, pen.style()))
            column += width(text)
        if m:
            pen.take(m[1])
            at = m.end()
    while parts and not parts[-1][1].strip() and not parts[-1][2][1]:
        parts.pop()
    return parts


def draw(lines, title, columns=80):
    """The picture, and nothing in it that is not of the lines."""
    while lines and not runs(lines[-1]):
        lines = lines[:-1]
    wide, high = columns * COLUMN + 2 * MARGIN, len(lines) * ROW + 2 * MARGIN
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" '
           f'width="{wide:g}" height="{high:g}" role="img">',
           f"<title>{html.escape(title)}</title>", f"<style>{STYLE}</style>",
           f'<rect width="{wide:g}" height="{high:g}" rx="6" fill="#16181c"/>']
    for n, line in enumerate(lines):
        y = MARGIN + n * ROW
        spans = []
        for column, text, (fill, ground, bold) in runs(line):
            x = MARGIN + column * COLUMN
            if ground:
                out.append(f'<rect x="{x:g}" y="{y:g}" width="{width(text) * COLUMN:g}" '
                           f'height="{ROW}" fill="{ground}"/>')
            look = (f' fill="{fill}"' if fill else "") + (' font-weight="bold"' if bold else "")
            spans.append(f'<tspan x="{x:g}"{look}>{html.escape(text, quote=False)}</tspan>')
        out.append(f'<text y="{y + 13:g}">{"".join(spans)}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"


def read(picture):
    """Its lines."""
    out = []
    for _, body in LINE.findall(picture):
        line = ""
        for x, text in re.findall(r'<tspan x="([\d.]+)"[^>]*>(.*?)</tspan>', body):
            text = html.unescape(text)
            line += " " * (round((float(x) - MARGIN) / COLUMN) - width(line)) + text
        out.append(line.rstrip())
    return out
