# SPDX-License-Identifier: Apache-2.0
"""Pages nobody writes: random elements, ends, styles and sheets, make(seed).

Each word is one of its own, "tok7q", so that test_html.py can ask Chromium
which of them can be seen.
"""

import random

COLOURS = ("#fff #ffffff white #000 black red #fefefe rgb(255,255,255) rgba(255,255,255,1) hsl(0,0%,100%) inherit "
           "initial currentcolor #ff whit transparent rgba(0,0,0,0) unset ffffff #eee #333 navy hsl(0_0%_0%) "
           "rgb(0_0_0/1) #ffff RGB(0,0,0) windowtext rgb(0_0,0) rgb(0,0) rgb(0%,0,0) 000").split()
ODD = (
    "display:none|display:block|display:inline|display:nonee|display:none none|display:flex|display:table-cell|"
    "display:contents|display:inline-block|visibility:hidden|visibility:visible|visibility:inherit|visibility:collapse|"
    "visibility:auto|font-size:0|font-size:1px|font-size:20px|font-size:.1em|font-size:10%|font-size:smaller|font-size:1|"
    "font-size:medium|font-size:-1px|font-size:inherit|font-size:0 0|font-size:1e-3px|font-size:0.5pt|font:0 a|"
    "font:12px serif|font:bold 1px/1 x|font:italic|font:1px|font:foo 20px serif|font:20px/foo serif|opacity:0|opacity:1|"
    "opacity:.5|opacity:0%|opacity:x|opacity:1 1|color:/**/#fff|co\\6cor:#fff|colo/**/r:#000|color:#000;;|"
    "color: #fff ! important|background:none|background-image:none|background:linear-gradient(#000,#000)|"
    "background-image:linear-gradient(#fff,#fff)|background:-moz-linear-gradient(#000,#000)|{color:#000}|{;color:#000;}|"
    "color:#000}|x:(;color:#000)|x:(];color:#000;)|x:[;color:#000;]|color:#000 \\9|*color:#000|_color:#000|color:#000 !ie|"
    "-webkit-text-fill-color:#fff|-webkit-text-fill-color:black|background:#000 foo|background:#000 #000|"
    "background:#000 left left left|background:#000 / cover|background:url(x) #000|background:#000 no-repeat|all:initial|"
    "--c:#000|zoom:.1|color:'#000'|width:0|height:0;overflow:hidden|height:foo|height:none|max-height:0;overflow:hidden|"
    "overflow:visible foo|overflow:visible|filter:opacity(0)|filter:alpha(opacity=100)|transform:scale(0)|transform:foo(0)|"
    "content-visibility:hidden|content-visibility:none|position:absolute;left:-9999px|left:0 foo|inset-inline-start:0|"
    "margin:0 foo|margin-left:-9999px|text-indent:-9999px|text-indent:hanging|position:static|position:foo"
).split("|")
TAGS = ("div p span b font i table td tr li ul a h1 h2 blockquote center em u section details small th tbody x-y nobr "
        "pre dd dt button caption summary").split()
CLASSES = "abcde"


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.n = 0

    def word(self):
        self.n += 1
        return f" tok{self.n}q "

    def decl(self):
        c = self.r.choice(COLOURS).replace("_", " ")
        return self.r.choice([f"color:{c}", f"color:{c}", f"background-color:{c}", f"background:{c}",
                              f"background:{c} none repeat", f"color:{c}!important", f"background:{c} !important",
                              *(self.r.choice(ODD) for _ in range(9))])

    def style(self):
        return ";".join(self.decl() for _ in range(self.r.randint(1, 3)))

    def selector(self):
        extra = [f".{self.r.choice(CLASSES)}", f"#{self.r.choice('xyz')}", f".{self.r.choice(CLASSES).upper()}",
                 "[title]", "[title=t]", ":first-child", ":nth-child(2)", ":nth-child(odd)", ":not(.a)", ":last-child"]

        def compound():
            return (self.r.choice(["", "div", "p", "span", "b", "font", "td", "*", "i", "li", "a"])
                    + (self.r.choice(extra) if self.r.random() < .5 else "")) or "b"
        return self.r.choice([" ", ">", "+", "~", " > ", " "]).join(compound() for _ in range(self.r.randint(1, 3)))

    def rule(self):
        x = ", ".join(self.selector() for _ in range(self.r.randint(1, 2))) + "{" + self.style() + "}"
        k = self.r.random()
        if k < .15:
            media = self.r.choice(["screen", "print", "(max-width:600px)", "(min-width:300px)", "not print",
                                   "(prefers-color-scheme:dark)", "all and (min-width:1px)"])
            x = f"@media {media}{{{x}}}"
        elif k < .2:
            x = f"<!-- {x} -->"
        elif k < .25:
            x = x[:-1]
        elif k < .3:
            x = f"{self.selector()}{{{self.style()};{self.selector()}{{{self.style()}}}{self.style()}}}"
        return x

    def attrs(self):
        a = ""
        for share, make in [
                (.35, lambda: f' style="{self.style()}"'),
                (.3, lambda: " class='" + " ".join(self.r.choice(CLASSES) for _ in range(self.r.randint(1, 2))) + "'"),
                (.1, lambda: " id=" + self.r.choice("xyz")), (.1, lambda: " title=t"),
                (.08, lambda: " bgcolor=" + self.r.choice("#fff #000 white fff xyz black".split())),
                (.08, lambda: " color=" + self.r.choice("#fff #000 white fff xyz black".split())),
                (.03, lambda: " hidden"), (.03, lambda: " href=x"), (.03, lambda: " open")]:
            if self.r.random() < share:
                a += make()
        return a

    def page(self):
        r, opened = self.r, []
        out = ["<!doctype html>" if r.random() < .6 else "", "<meta charset=utf-8>"]
        if r.random() < .6:
            out.append("<style>" + "\n".join(self.rule() for _ in range(r.randint(1, 6))) + "</style>")
        if r.random() < .3:
            out.append("<body" + self.attrs() + r.choice(["", " text=#ffffff", " bgcolor=black", " link=white"]) + ">")
        for _ in range(r.randint(4, 25)):
            k = r.random()
            if k < .45:
                opened.append(r.choice(TAGS))
                out.append(f"<{opened[-1]}{self.attrs()}>")
            elif k < .7 and opened:
                t = r.choice(opened) if r.random() < .35 else opened[-1]
                out.append(f"</{t}>")
                opened.remove(t)
            elif k < .75:
                out.append(f"</{r.choice(TAGS)}>")
            if r.random() < .6:
                out.append(self.word())
        if r.random() < .15:
            out.append("<style>" + self.rule() + "</style>")
        return "".join(out)


def make(seed):
    return Maker(seed).page()
