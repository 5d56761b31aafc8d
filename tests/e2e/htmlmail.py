# SPDX-License-Identifier: Apache-2.0
"""Ordinary HTML mail, as shops, programs and people write it: make(n).

The same n gives the same mails.  tests/e2e/test_html.py compares our reading
of them with a browser's; bench/html.sh measures how fast it is.
"""

import random
import sys

WORDS = ("account action again agree amount answer before begin better bring budget change "
         "check clear close coming cover daily delay deliver detail early email enough event "
         "every family final follow free friday garden goods green group happy house invoice "
         "kitchen later letter light limit little local market meeting member minute monday "
         "month notice number offer office online order other packet paper party people place "
         "plan please point price public question quick ready reason record reply report "
         "return saturday second service share short simple special start stock store street "
         "summer sunday table team thanks ticket today together total travel update value "
         "visit watch water weather week welcome window winter write year yesterday "
         "café naïve größer straße señor día déjà über façade кофе письмо 会議 資料").split()
DARK = ["#222222", "#003366", "#1a73e8", "#0b6623", "#8b0000", "navy", "rgb(40, 40, 60)"]
LIGHT = ["#ffffff", "#f4f4f4", "#fafafa", "white", "#eef2f7"]


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.n = seed

    def words(self, low, high):
        return " ".join(self.r.choice(WORDS) for _ in range(self.r.randint(low, high)))

    def line(self, low=4, high=12):
        return self.words(low, high).capitalize() + self.r.choice([".", ".", "!", "?"])

    def text(self, lines=3):
        return " ".join(self.line() for _ in range(self.r.randint(1, lines)))

    def rich(self, lines=3):
        tags = ["b", "i", "strong", "em", "u", "span", "font"]
        out = []
        for w in self.text(lines).split(" "):
            k = self.r.random()
            if k < 0.06:
                t = self.r.choice(tags)
                w = f"<{t}>{w}</{t}>"
            elif k < 0.08:
                w = f"{w}&nbsp;"
            elif k < 0.09:
                w = f"{w}&mdash;"
            out.append(w)
        return self.r.choice([" ", "\n"]).join(out)

    def url(self):
        return f"https://www.shop.example/{self.r.choice(WORDS[:90])}?id={self.r.randint(1, 9999)}&amp;u=7"

    def link(self, style=""):
        style = f' style="{style}"' if style else ""
        return f'<a href="{self.url()}"{style} target="_blank">{self.words(1, 3)}</a>'

    def price(self):
        return f"{self.r.choice(['$', '€', '£', 'USD '])}{self.r.randint(1, 900)}.{self.r.randint(0, 99):02}"

    # What people and programs send.

    def plain(self):
        return "<html><body>" + "".join(f"<p>{self.rich()}</p>\n" for _ in range(4)) + "</body></html>"

    def bare(self):
        return "<br>\n".join(self.rich(1) for _ in range(6)) + "<br><br>--<br>" + self.words(2, 3)

    def gmail(self):
        quoted = "".join(f"<div>{self.rich(2)}</div>" for _ in range(3))
        return (f'<div dir="ltr"><div>{self.rich()}</div><div><br></div><div>{self.rich()}</div>'
                f'<div><br clear="all"></div>-- <br><div dir="ltr" class="gmail_signature">{self.words(2, 3)}</div></div>'
                f'<br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Mon, 2 Mar 2026 at 10:00, Ann '
                f'&lt;<a href="mailto:ann@x.example">ann@x.example</a>&gt; wrote:<br></div><blockquote class="gmail_quote" '
                f'style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">{quoted}</blockquote></div>')

    def apple(self):
        return ('<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"></head>'
                '<body style="word-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;" class="">'
                f'{self.rich()}<div class=""><br class=""></div><div class="">{self.rich()}</div>'
                f'<div><blockquote type="cite" class=""><div class="">On 2 Mar 2026, at 10:00, Bob &lt;bob@x.example&gt; wrote:</div>'
                f'<br class="Apple-interchange-newline"><div class=""><div class="">{self.rich()}</div></div></blockquote></div>'
                '<br class=""></body></html>')

    def outlook(self):
        p = "".join(f'<p class="MsoNormal"><span style="font-size:11.0pt;color:#1F497D">{self.rich(2)}<o:p></o:p></span></p>\n'
                    for _ in range(3))
        items = "".join('<p class="MsoListParagraph" style="text-indent:-18.0pt;mso-list:l0 level1 lfo1">'
                        f"{self.words(3, 8)}<o:p></o:p></p>" for _ in range(3))
        rows = "".join(f'<tr><td width="200" valign="top" style="width:150.0pt;border:solid windowtext 1.0pt;padding:0cm 5.4pt"><p class="MsoNormal">{self.words(1, 3)}<o:p></o:p></p></td>'
                       f'<td width="200" valign="top" style="width:150.0pt"><p class="MsoNormal">{self.price()}<o:p></o:p></p></td></tr>' for _ in range(4))
        return ('<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
                'xmlns="http://www.w3.org/TR/REC-html40"><head><meta name="Generator" content="Microsoft Word 15 (filtered medium)">'
                "<!--[if !mso]><style>v\\:* {behavior:url(#default#VML);}</style><![endif]--><style><!--\n/* Font Definitions */\n"
                '@font-face\n\t{font-family:"Cambria Math";\n\tpanose-1:2 4 5 3 5 4 6 3 2 4;}\np.MsoNormal, li.MsoNormal, div.MsoNormal\n'
                '\t{margin:0cm;\n\tfont-size:11.0pt;\n\tfont-family:"Calibri",sans-serif;}\na:link, span.MsoHyperlink\n\t{mso-style-priority:99;\n'
                "\tcolor:#0563C1;\n\ttext-decoration:underline;}\n@page WordSection1\n\t{size:612.0pt 792.0pt;\n\tmargin:70.85pt 70.85pt 2.0cm 70.85pt;}\n"
                'div.WordSection1\n\t{page:WordSection1;}\n--></style><!--[if gte mso 9]><xml>\n<o:shapedefaults v:ext="edit" spidmax="1026" />\n</xml><![endif]--></head>'
                f'<body lang="EN-GB" link="#0563C1" vlink="#954F72" style="word-wrap:break-word"><div class="WordSection1">{p}{items}'
                f'<table class="MsoTableGrid" border="1" cellspacing="0" cellpadding="0" style="border-collapse:collapse;border:none">{rows}</table>'
                '<p class="MsoNormal"><o:p>&nbsp;</o:p></p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">'
                f'<p class="MsoNormal"><b>From:</b> Ann &lt;ann@x.example&gt; <br><b>Sent:</b> Monday, March 2, 2026<br><b>Subject:</b> {self.words(2, 5)}<o:p></o:p></p></div>{p}</div></body></html>')

    def newsletter(self):
        dark = self.r.choice(DARK)
        head = ('<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">'
                '<html xmlns="http://www.w3.org/1999/xhtml"><head><meta name="viewport" content="width=device-width, initial-scale=1.0"/>'
                f"<title>{self.words(2, 5)}</title><style type=\"text/css\">\n#outlook a {{padding:0;}}\nbody{{width:100% !important;margin:0;padding:0;}}\n"
                ".ExternalClass {width:100%;}\n.ExternalClass, .ExternalClass p, .ExternalClass span {line-height: 100%;}\n"
                "img {outline:none; text-decoration:none; -ms-interpolation-mode: bicubic;}\ntable td {border-collapse: collapse;}\n"
                f".head{{background-color:{dark};color:#ffffff}}\n.head a{{color:#fff}}\n.foot, .foot a{{color:#999999;font-size:11px}}\n"
                "@media only screen and (max-width: 600px) {\n  .full{width:100%!important}\n  .hide{display:none!important}\n}\n"
                "@media (prefers-color-scheme: dark) { body { background:#000 !important; color:#fff !important } }\n</style>"
                "<!--[if mso]><style>.x{font-family:Arial!important}</style><![endif]--></head>")
        parts = "".join(
            f'<tr><td style="padding:20px;font-family:Arial,sans-serif;font-size:15px;line-height:22px;color:#333333;" class="x"><h2 style="margin:0 0 10px">{self.words(2, 5)}</h2>'
            f'<img src="https://cdn.shop.example/{k}.jpg" width="560" height="240" alt="" style="display:block;border:0"/>{self.rich(5)}'
            f'<table cellpadding="0" cellspacing="0" border="0"><tr><td bgcolor="#1a73e8" style="border-radius:4px;padding:10px 18px">'
            f'{self.link("color:#ffffff;text-decoration:none;display:inline-block")}</td></tr></table></td></tr>'
            '<tr><td height="20" style="font-size:1px;line-height:1px">&nbsp;</td></tr>' for k in range(self.r.randint(2, 5)))
        columns = "".join(f'<td class="full" width="33%" valign="top" style="padding:10px"><p style="margin:0">{self.words(3, 9)}</p><p><b>{self.price()}</b></p></td>' for _ in range(3))
        return (f'{head}<body bgcolor="#f4f4f4"><div style="display:none;font-size:1px;color:#333;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden">{self.words(5, 9)}&zwnj;&nbsp;&zwnj;&nbsp;</div>'
                '<table width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f4f4f4"><tr><td align="center">'
                '<!--[if mso]><table width="600"><tr><td><![endif]--><table class="full" width="600" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff">'
                f'<tr><td class="head" style="padding:20px" align="center"><a href="{self.url()}">{self.words(1, 2)}</a> | {self.words(1, 2)}</td></tr>{parts}'
                f'<tr><td><table width="100%"><tr>{columns}</tr></table></td></tr>'
                f'<tr><td class="foot" style="padding:20px">{self.text(2)}<br/>{self.link()} | {self.link()}<br/>&copy; 2026 {self.words(1, 2)}</td></tr></table>'
                '<!--[if mso]></td></tr></table><![endif]--></td></tr></table><img src="https://t.shop.example/o.gif" width="1" height="1" alt=""/></body></html>')

    def mjml(self):
        blocks = "".join(
            '<div style="margin:0px auto;max-width:600px;"><table align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="width:100%;"><tbody><tr>'
            '<td style="direction:ltr;font-size:0px;padding:20px 0;text-align:center;"><div class="mj-column-per-50 mj-outlook-group-fix" style="font-size:0px;text-align:left;direction:ltr;display:inline-block;vertical-align:top;width:50%;">'
            '<table border="0" cellpadding="0" cellspacing="0" role="presentation" style="vertical-align:top;" width="100%"><tbody><tr><td align="left" style="font-size:0px;padding:10px 25px;word-break:break-word;">'
            f'<div style="font-family:Helvetica;font-size:13px;line-height:1.5;text-align:left;color:#000000;">{self.rich(3)}</div></td></tr></tbody></table></div>'
            '<div class="mj-column-per-50" style="font-size:0px;display:inline-block;width:50%;"><table role="presentation" width="100%"><tbody><tr><td style="font-size:0px;">'
            f'<div style="font-size:20px;color:#F45E43">{self.words(2, 6)}</div></td></tr></tbody></table></div></td></tr></tbody></table></div>' for _ in range(3))
        return ('<!doctype html><html xmlns="http://www.w3.org/1999/xhtml"><head><title></title><style type="text/css">#outlook a { padding:0; } body { margin:0;padding:0; }'
                ' table, td { border-collapse:collapse; } p { display:block;margin:13px 0; }</style><style type="text/css">@media only screen and (min-width:480px) '
                '{ .mj-column-per-50 { width:50% !important; max-width: 50%; } }</style><style media="screen and (min-width:480px)">.moz-text-html .mj-column-per-50 { width:50% !important }</style></head>'
                f'<body style="word-spacing:normal;"><div style="">{blocks}</div></body></html>')

    def receipt(self):
        rows = "".join(f"<tr><td>{self.words(1, 4)}</td><td align=right>{self.r.randint(1, 9)}</td><td align=right>{self.price()}</td></tr>" for _ in range(self.r.randint(2, 9)))
        return (f"<html><body style='font-family:sans-serif'><h1>{self.words(2, 4)}</h1><p>Order <b>#{self.r.randint(1000, 99999)}</b></p>"
                f"<table border=1 cellpadding=4><thead><tr><th>Item</th><th>Qty</th><th>Price</th></tr></thead><tbody>{rows}</tbody>"
                f"<tfoot><tr><td colspan=2><strong>Total</strong></td><td>{self.price()}</td></tr></tfoot></table><p>{self.text()}</p>"
                f"<p style='color:#777;font-size:small'>{self.text(1)}</p></body></html>")

    def lists(self):
        inner = "".join(f"<li>{self.words(2, 6)}" for _ in range(3))
        items = "".join(f"<li><p>{self.rich(1)}</p></li>" for _ in range(3))
        return (f"<p>{self.text()}</p><ul><li>{self.words(2, 5)}</li><li>{self.words(2, 5)}<ol>{inner}</ol></li>{items}</ul>"
                f"<dl><dt>{self.words(1, 2)}<dd>{self.text(1)}<dt>{self.words(1, 2)}<dd>{self.text(1)}</dl><hr><h3>{self.words(2, 4)}</h3><pre>{self.words(3, 6)}\n  {self.words(3, 6)}\n</pre>")

    def notice(self):
        return ('<!DOCTYPE html><html><head><meta charset="utf-8"><style>body{background:#fff}.btn{display:inline-block;background:#2ea44f;color:#fff!important;padding:5px 10px}'
                '.muted{color:#6a737d;font-size:12px}code{background:#f6f8fa}</style></head><body>'
                f'<p><strong>{self.words(1, 2)}</strong> {self.words(2, 4)}:</p><blockquote>{self.rich()}</blockquote><p><code>git {self.words(1, 2)}</code></p>'
                f'<p><a class="btn" href="{self.url()}">{self.words(2, 3)}</a></p><p class="muted">—<br>Reply to this email directly, <a href="{self.url()}">view it online</a>.'
                '<img src="https://n.example/beacon.gif" height="1" width="1" alt=""></p></body></html>')

    def calendar(self):
        return ("<div><table cellspacing=0 cellpadding=8 border=0 style='width:100%;font-family:Arial;border:1px solid #ccc'><tr><td><div style='padding:2px'>"
                f"<span style='float:right'>{self.link()}</span><h3 style='font-size:18px'>{self.words(2, 5)}</h3><table>"
                f"<tr><td style='color:#888'>When</td><td>Mon 2 Mar 2026 10:00 &ndash; 11:00</td></tr><tr><td style='color:#888'>Where</td><td>{self.words(1, 4)}</td></tr>"
                f"<tr><td style='color:#888'>Who</td><td>{self.words(1, 2)}<br>{self.words(1, 2)}</td></tr></table></div></td></tr>"
                f"<tr><td style='background-color:#f6f6f6;color:#888;border-top:1px solid #ccc'><p>{self.text(1)}</p></td></tr></table></div>")

    def styled(self):
        dark = self.r.choice(DARK)
        return (f'<style>.card{{border:1px solid #ddd;border-radius:8px;margin:8px}}.card .title{{font-weight:bold;background:{dark};color:{self.r.choice(LIGHT)}}}'
                f'.row{{display:flex}}.tag{{text-transform:none;letter-spacing:.05em}}.quiet{{opacity:.7}}</style>'
                + "".join(f'<div class="card"><div class="title">{self.words(2, 4)}</div><div class="row"><span class=tag>{self.words(1, 2)}</span><span>{self.words(1, 2)}</span></div>'
                          f'<p class="quiet">{self.rich(2)}</p></div>' for _ in range(3)))

    def broken(self):
        return (f"<p><b>{self.words(2, 4)}<p>{self.words(2, 5)}</b><div>{self.words(2, 5)}<table><tr><td>{self.words(1, 3)}<td>{self.words(1, 3)}"
                f"<tr><td>{self.words(1, 3)}</table></div></div></span>{self.rich(2)}<ul><li>{self.words(1, 3)}<li>{self.words(1, 3)}</ul>"
                f"<font color=#333 size=2>{self.words(2, 4)}<a href={self.url()}>{self.words(1, 2)}</font></a> 1 < 2 &amp; 3 > 2 &copy &nosuch;")

    def digest(self):
        return ("<html><body><center>" + "".join(
            f'<table width=600 style="border-bottom:1px solid #eee"><tr><td width=60 valign=top><img src="cid:{k}" width=48 height=48></td>'
            f'<td><font face=Arial size=2><b>{self.words(1, 2)}</b> <font color=#888888>{self.r.randint(1, 23)}h</font><br>{self.rich(2)}<br>{self.link()}</font></td></tr></table>'
            for k in range(6)) + f"<p><small>{self.text(1)}</small></p></center></body></html>")


KINDS = ["plain", "bare", "gmail", "apple", "outlook", "newsletter", "mjml", "receipt", "lists",
         "notice", "calendar", "styled", "broken", "digest"]


def make(n):
    """n mails: (name, HTML)."""
    return [(f"{KINDS[i % len(KINDS)]}-{i}", getattr(Maker(i), KINDS[i % len(KINDS)])()) for i in range(n)]


if __name__ == "__main__":
    # htmlmail.py DIR N: into files; the big ones alone, as often as N says.
    for i in range(int(sys.argv[2])):
        kind = ["newsletter", "outlook", "mjml", "digest"][i % 4]
        with open(f"{sys.argv[1]}/{kind}-{i}.html", "w", encoding="utf-8") as f:
            f.write(getattr(Maker(i), kind)())
