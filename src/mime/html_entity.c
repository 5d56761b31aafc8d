/*
 * Character references, HTML 13.2.5.72 to 80.  The names of HTML 4 and the
 * ones mail is seen to use beyond them; another name stays as it was written.
 */
#include <string.h>

#include "base/utf8.h"
#include "mime/internal.h"

#define NAME_MAX_LEN 14  /* the longest name here */
#define LEGACY_MAX_LEN 6 /* the longest that needs no semicolon */

struct entity {
	const char *name;
	unsigned short cp;
	bool legacy; /* also without a semicolon */
};

/* In the order of strcmp(3). */
/* clang-format off */
static const struct entity entities[] = {
	{ "AElig", 0xC6, 1 }, { "AMP", 0x26, 1 }, { "Aacute", 0xC1, 1 },
	{ "Abreve", 0x102, 0 }, { "Acirc", 0xC2, 1 }, { "Agrave", 0xC0, 1 },
	{ "Alpha", 0x391, 0 }, { "Aogon", 0x104, 0 }, { "Aring", 0xC5, 1 },
	{ "Atilde", 0xC3, 1 }, { "Auml", 0xC4, 1 }, { "Beta", 0x392, 0 },
	{ "COPY", 0xA9, 1 }, { "Cacute", 0x106, 0 }, { "Ccaron", 0x10C, 0 },
	{ "Ccedil", 0xC7, 1 }, { "Chi", 0x3A7, 0 }, { "Dagger", 0x2021, 0 },
	{ "Dcaron", 0x10E, 0 }, { "Delta", 0x394, 0 }, { "Dstrok", 0x110, 0 },
	{ "ETH", 0xD0, 1 }, { "Eacute", 0xC9, 1 }, { "Ecaron", 0x11A, 0 },
	{ "Ecirc", 0xCA, 1 }, { "Egrave", 0xC8, 1 }, { "Eogon", 0x118, 0 },
	{ "Epsilon", 0x395, 0 }, { "Eta", 0x397, 0 }, { "Euml", 0xCB, 1 },
	{ "GT", 0x3E, 1 }, { "Gamma", 0x393, 0 }, { "Gbreve", 0x11E, 0 },
	{ "Hat", 0x5E, 0 }, { "Iacute", 0xCD, 1 }, { "Icirc", 0xCE, 1 },
	{ "Idot", 0x130, 0 }, { "Igrave", 0xCC, 1 }, { "Iota", 0x399, 0 },
	{ "Iuml", 0xCF, 1 }, { "Kappa", 0x39A, 0 }, { "LT", 0x3C, 1 },
	{ "Lambda", 0x39B, 0 }, { "Lstrok", 0x141, 0 }, { "Mu", 0x39C, 0 },
	{ "Nacute", 0x143, 0 }, { "Ncaron", 0x147, 0 }, { "NewLine", 0xA, 0 },
	{ "NoBreak", 0x2060, 0 }, { "Ntilde", 0xD1, 1 }, { "Nu", 0x39D, 0 },
	{ "OElig", 0x152, 0 }, { "Oacute", 0xD3, 1 }, { "Ocirc", 0xD4, 1 },
	{ "Odblac", 0x150, 0 }, { "Ograve", 0xD2, 1 }, { "Omega", 0x3A9, 0 },
	{ "Omicron", 0x39F, 0 }, { "Oslash", 0xD8, 1 }, { "Otilde", 0xD5, 1 },
	{ "Ouml", 0xD6, 1 }, { "Phi", 0x3A6, 0 }, { "Pi", 0x3A0, 0 },
	{ "Prime", 0x2033, 0 }, { "Psi", 0x3A8, 0 }, { "QUOT", 0x22, 1 },
	{ "REG", 0xAE, 1 }, { "Rcaron", 0x158, 0 }, { "Rho", 0x3A1, 0 },
	{ "Rightarrow", 0x21D2, 0 }, { "Sacute", 0x15A, 0 },
	{ "Scaron", 0x160, 0 }, { "Scedil", 0x15E, 0 }, { "Sigma", 0x3A3, 0 },
	{ "THORN", 0xDE, 1 }, { "TRADE", 0x2122, 0 }, { "Tab", 0x9, 0 },
	{ "Tau", 0x3A4, 0 }, { "Theta", 0x398, 0 }, { "Uacute", 0xDA, 1 },
	{ "Ucirc", 0xDB, 1 }, { "Udblac", 0x170, 0 }, { "Ugrave", 0xD9, 1 },
	{ "Upsilon", 0x3A5, 0 }, { "Uring", 0x16E, 0 }, { "Uuml", 0xDC, 1 },
	{ "Xi", 0x39E, 0 }, { "Yacute", 0xDD, 1 }, { "Yuml", 0x178, 0 },
	{ "Zacute", 0x179, 0 }, { "Zcaron", 0x17D, 0 }, { "Zdot", 0x17B, 0 },
	{ "ZeroWidthSpace", 0x200B, 0 }, { "Zeta", 0x396, 0 },
	{ "aacute", 0xE1, 1 }, { "abreve", 0x103, 0 }, { "acirc", 0xE2, 1 },
	{ "acute", 0xB4, 1 }, { "aelig", 0xE6, 1 }, { "agrave", 0xE0, 1 },
	{ "alefsym", 0x2135, 0 }, { "alpha", 0x3B1, 0 },
	{ "amacr", 0x101, 0 }, { "amp", 0x26, 1 }, { "and", 0x2227, 0 },
	{ "ang", 0x2220, 0 }, { "aogon", 0x105, 0 }, { "apos", 0x27, 0 },
	{ "aring", 0xE5, 1 }, { "ast", 0x2A, 0 }, { "asymp", 0x2248, 0 },
	{ "atilde", 0xE3, 1 }, { "auml", 0xE4, 1 }, { "bdquo", 0x201E, 0 },
	{ "becaus", 0x2235, 0 }, { "beta", 0x3B2, 0 },
	{ "bigstar", 0x2605, 0 }, { "blacksquare", 0x25AA, 0 },
	{ "brvbar", 0xA6, 1 }, { "bsol", 0x5C, 0 }, { "bull", 0x2022, 0 },
	{ "cacute", 0x107, 0 }, { "cap", 0x2229, 0 }, { "caret", 0x2041, 0 },
	{ "ccaron", 0x10D, 0 }, { "ccedil", 0xE7, 1 }, { "cedil", 0xB8, 1 },
	{ "cent", 0xA2, 1 }, { "check", 0x2713, 0 },
	{ "checkmark", 0x2713, 0 }, { "chi", 0x3C7, 0 }, { "circ", 0x2C6, 0 },
	{ "clubs", 0x2663, 0 }, { "colon", 0x3A, 0 }, { "comma", 0x2C, 0 },
	{ "commat", 0x40, 0 }, { "cong", 0x2245, 0 }, { "copy", 0xA9, 1 },
	{ "copysr", 0x2117, 0 }, { "crarr", 0x21B5, 0 },
	{ "cross", 0x2717, 0 }, { "cup", 0x222A, 0 }, { "curren", 0xA4, 1 },
	{ "dArr", 0x21D3, 0 }, { "dagger", 0x2020, 0 }, { "darr", 0x2193, 0 },
	{ "dash", 0x2010, 0 }, { "dcaron", 0x10F, 0 }, { "deg", 0xB0, 1 },
	{ "delta", 0x3B4, 0 }, { "diams", 0x2666, 0 }, { "divide", 0xF7, 1 },
	{ "dollar", 0x24, 0 }, { "dstrok", 0x111, 0 }, { "eacute", 0xE9, 1 },
	{ "ecaron", 0x11B, 0 }, { "ecirc", 0xEA, 1 }, { "egrave", 0xE8, 1 },
	{ "emacr", 0x113, 0 }, { "empty", 0x2205, 0 }, { "emsp", 0x2003, 0 },
	{ "ensp", 0x2002, 0 }, { "eogon", 0x119, 0 }, { "epsilon", 0x3B5, 0 },
	{ "equals", 0x3D, 0 }, { "equiv", 0x2261, 0 }, { "eta", 0x3B7, 0 },
	{ "eth", 0xF0, 1 }, { "euml", 0xEB, 1 }, { "euro", 0x20AC, 0 },
	{ "excl", 0x21, 0 }, { "exist", 0x2203, 0 }, { "female", 0x2640, 0 },
	{ "flat", 0x266D, 0 }, { "fnof", 0x192, 0 }, { "forall", 0x2200, 0 },
	{ "frac12", 0xBD, 1 }, { "frac13", 0x2153, 0 }, { "frac14", 0xBC, 1 },
	{ "frac15", 0x2155, 0 }, { "frac34", 0xBE, 1 },
	{ "frasl", 0x2044, 0 }, { "gamma", 0x3B3, 0 }, { "gbreve", 0x11F, 0 },
	{ "ge", 0x2265, 0 }, { "grave", 0x60, 0 }, { "gt", 0x3E, 1 },
	{ "hArr", 0x21D4, 0 }, { "half", 0xBD, 0 }, { "harr", 0x2194, 0 },
	{ "hearts", 0x2665, 0 }, { "hellip", 0x2026, 0 },
	{ "hybull", 0x2043, 0 }, { "hyphen", 0x2010, 0 },
	{ "iacute", 0xED, 1 }, { "icirc", 0xEE, 1 }, { "iexcl", 0xA1, 1 },
	{ "igrave", 0xEC, 1 }, { "imacr", 0x12B, 0 }, { "image", 0x2111, 0 },
	{ "infin", 0x221E, 0 }, { "inodot", 0x131, 0 }, { "int", 0x222B, 0 },
	{ "iota", 0x3B9, 0 }, { "iquest", 0xBF, 1 }, { "isin", 0x2208, 0 },
	{ "iuml", 0xEF, 1 }, { "kappa", 0x3BA, 0 }, { "lArr", 0x21D0, 0 },
	{ "lambda", 0x3BB, 0 }, { "lang", 0x2329, 0 }, { "laquo", 0xAB, 1 },
	{ "larr", 0x2190, 0 }, { "lbrace", 0x7B, 0 }, { "lbrack", 0x5B, 0 },
	{ "lceil", 0x2308, 0 }, { "lcub", 0x7B, 0 }, { "ldquo", 0x201C, 0 },
	{ "ldquor", 0x201E, 0 }, { "le", 0x2264, 0 },
	{ "leftarrow", 0x2190, 0 }, { "lfloor", 0x230A, 0 },
	{ "lowast", 0x2217, 0 }, { "lowbar", 0x5F, 0 }, { "loz", 0x25CA, 0 },
	{ "lpar", 0x28, 0 }, { "lrm", 0x200E, 0 }, { "lsaquo", 0x2039, 0 },
	{ "lsqb", 0x5B, 0 }, { "lsquo", 0x2018, 0 }, { "lsquor", 0x201A, 0 },
	{ "lstrok", 0x142, 0 }, { "lt", 0x3C, 1 }, { "macr", 0xAF, 1 },
	{ "male", 0x2642, 0 }, { "mdash", 0x2014, 0 }, { "micro", 0xB5, 1 },
	{ "middot", 0xB7, 1 }, { "minus", 0x2212, 0 }, { "mu", 0x3BC, 0 },
	{ "nabla", 0x2207, 0 }, { "nacute", 0x144, 0 },
	{ "natural", 0x266E, 0 }, { "nbsp", 0xA0, 1 }, { "ncaron", 0x148, 0 },
	{ "ndash", 0x2013, 0 }, { "ne", 0x2260, 0 }, { "ni", 0x220B, 0 },
	{ "nldr", 0x2025, 0 }, { "not", 0xAC, 1 }, { "notin", 0x2209, 0 },
	{ "nsub", 0x2284, 0 }, { "ntilde", 0xF1, 1 }, { "nu", 0x3BD, 0 },
	{ "num", 0x23, 0 }, { "oacute", 0xF3, 1 }, { "ocirc", 0xF4, 1 },
	{ "odblac", 0x151, 0 }, { "oelig", 0x153, 0 }, { "ograve", 0xF2, 1 },
	{ "oline", 0x203E, 0 }, { "omacr", 0x14D, 0 }, { "omega", 0x3C9, 0 },
	{ "omicron", 0x3BF, 0 }, { "oplus", 0x2295, 0 }, { "or", 0x2228, 0 },
	{ "ordf", 0xAA, 1 }, { "ordm", 0xBA, 1 }, { "oslash", 0xF8, 1 },
	{ "otilde", 0xF5, 1 }, { "otimes", 0x2297, 0 }, { "ouml", 0xF6, 1 },
	{ "para", 0xB6, 1 }, { "part", 0x2202, 0 }, { "percnt", 0x25, 0 },
	{ "period", 0x2E, 0 }, { "permil", 0x2030, 0 }, { "perp", 0x22A5, 0 },
	{ "phi", 0x3C6, 0 }, { "phone", 0x260E, 0 }, { "pi", 0x3C0, 0 },
	{ "piv", 0x3D6, 0 }, { "plus", 0x2B, 0 }, { "plusmn", 0xB1, 1 },
	{ "pound", 0xA3, 1 }, { "prime", 0x2032, 0 }, { "prod", 0x220F, 0 },
	{ "prop", 0x221D, 0 }, { "psi", 0x3C8, 0 }, { "quest", 0x3F, 0 },
	{ "quot", 0x22, 1 }, { "rArr", 0x21D2, 0 }, { "radic", 0x221A, 0 },
	{ "rang", 0x232A, 0 }, { "raquo", 0xBB, 1 }, { "rarr", 0x2192, 0 },
	{ "rbrace", 0x7D, 0 }, { "rbrack", 0x5D, 0 }, { "rcaron", 0x159, 0 },
	{ "rceil", 0x2309, 0 }, { "rcub", 0x7D, 0 }, { "rdquo", 0x201D, 0 },
	{ "real", 0x211C, 0 }, { "reg", 0xAE, 1 }, { "rfloor", 0x230B, 0 },
	{ "rho", 0x3C1, 0 }, { "rightarrow", 0x2192, 0 },
	{ "rlm", 0x200F, 0 }, { "rpar", 0x29, 0 }, { "rsaquo", 0x203A, 0 },
	{ "rsqb", 0x5D, 0 }, { "rsquo", 0x2019, 0 }, { "rsquor", 0x2019, 0 },
	{ "sacute", 0x15B, 0 }, { "sbquo", 0x201A, 0 },
	{ "scaron", 0x161, 0 }, { "scedil", 0x15F, 0 }, { "sdot", 0x22C5, 0 },
	{ "sect", 0xA7, 1 }, { "semi", 0x3B, 0 }, { "sharp", 0x266F, 0 },
	{ "shy", 0xAD, 1 }, { "sigma", 0x3C3, 0 }, { "sigmaf", 0x3C2, 0 },
	{ "sim", 0x223C, 0 }, { "sol", 0x2F, 0 }, { "spades", 0x2660, 0 },
	{ "squ", 0x25A1, 0 }, { "square", 0x25A1, 0 }, { "star", 0x2606, 0 },
	{ "starf", 0x2605, 0 }, { "sub", 0x2282, 0 }, { "sube", 0x2286, 0 },
	{ "sum", 0x2211, 0 }, { "sung", 0x266A, 0 }, { "sup", 0x2283, 0 },
	{ "sup1", 0xB9, 1 }, { "sup2", 0xB2, 1 }, { "sup3", 0xB3, 1 },
	{ "supe", 0x2287, 0 }, { "szlig", 0xDF, 1 }, { "target", 0x2316, 0 },
	{ "tau", 0x3C4, 0 }, { "tcaron", 0x165, 0 }, { "tcedil", 0x163, 0 },
	{ "there4", 0x2234, 0 }, { "theta", 0x3B8, 0 },
	{ "thetasym", 0x3D1, 0 }, { "thinsp", 0x2009, 0 },
	{ "thorn", 0xFE, 1 }, { "tilde", 0x2DC, 0 }, { "times", 0xD7, 1 },
	{ "trade", 0x2122, 0 }, { "uArr", 0x21D1, 0 }, { "uacute", 0xFA, 1 },
	{ "uarr", 0x2191, 0 }, { "ucirc", 0xFB, 1 }, { "udblac", 0x171, 0 },
	{ "ugrave", 0xF9, 1 }, { "umacr", 0x16B, 0 }, { "uml", 0xA8, 1 },
	{ "upsih", 0x3D2, 0 }, { "upsilon", 0x3C5, 0 }, { "uring", 0x16F, 0 },
	{ "uuml", 0xFC, 1 }, { "verbar", 0x7C, 0 }, { "vert", 0x7C, 0 },
	{ "weierp", 0x2118, 0 }, { "xi", 0x3BE, 0 }, { "yacute", 0xFD, 1 },
	{ "yen", 0xA5, 1 }, { "yuml", 0xFF, 1 }, { "zacute", 0x17A, 0 },
	{ "zcaron", 0x17E, 0 }, { "zdot", 0x17C, 0 }, { "zeta", 0x3B6, 0 },
	{ "zwj", 0x200D, 0 }, { "zwnj", 0x200C, 0 },
};
/* clang-format on */

/* What 0x80 to 0x9F mean: windows-1252, HTML 13.2.5.80. */
static const unsigned short c1[32] = {
	0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021,  /* 80 */
	0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D, 0x8F,       /* 88 */
	0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, /* 90 */
	0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,      /* 98 */
};

/* As strcmp(3) orders them; the name is of letters and digits. */
static int
order(struct str name, const char *entity)
{
	size_t i = 0;

	while (i < name.n && name.p[i] == entity[i])
		i++;
	return (i < name.n ? name.p[i] : '\0') - entity[i];
}

static const struct entity *
find(struct str name)
{
	size_t lo = 0, hi = sizeof(entities) / sizeof(entities[0]);

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c = order(name, entities[mid].name);

		if (c == 0)
			return &entities[mid];
		if (c < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}

static bool
is_alnum(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
	    (c >= 'a' && c <= 'z');
}

static int
digit(char c, bool is_hex)
{
	int n = str_hex(c);

	return is_hex || n < 10 ? n : -1;
}

/* "&#8364;", "&#x20AC;": s is what stands behind "&#". */
static size_t
numeric(struct str s, uint32_t *cp)
{
	bool is_hex = s.n > 0 && (s.p[0] == 'x' || s.p[0] == 'X');
	size_t i = is_hex ? 1 : 0, first = i;
	uint32_t v = 0;

	for (; i < s.n && digit(s.p[i], is_hex) >= 0; i++)
		if (v <= 0x10FFFF)
			v = v * (is_hex ? 16 : 10) +
			    (uint32_t)digit(s.p[i], is_hex);
	if (i == first)
		return 0;
	if (v >= 0x80 && v < 0xA0)
		v = c1[v - 0x80];
	if (v == 0 || v > 0x10FFFF || (v >= 0xD800 && v < 0xE000))
		v = 0xFFFD;
	*cp = v;
	return i < s.n && s.p[i] == ';' ? i + 1 : i;
}

/* "&nbsp;" and the like; s is what stands behind the "&". */
static size_t
named(struct str s, bool in_attribute, uint32_t *cp)
{
	const struct entity *e;
	size_t n = 0;

	while (n < s.n && n <= NAME_MAX_LEN && is_alnum(s.p[n]))
		n++;
	if (n < 2)
		return 0;
	if (n < s.n && s.p[n] == ';') {
		e = find(str_first(s, n));
		if (e != NULL) {
			*cp = e->cp;
			return n + 1;
		}
	}
	/* Without its semicolon: the longest of the old names that fits. */
	for (size_t k = n < LEGACY_MAX_LEN ? n : LEGACY_MAX_LEN; k >= 2; k--) {
		e = find(str_first(s, k));
		if (e == NULL || !e->legacy)
			continue;
		if (in_attribute && k < s.n &&
		    (s.p[k] == '=' || is_alnum(s.p[k])))
			return 0;
		*cp = e->cp;
		return k;
	}
	return 0;
}

size_t
html_entity_read(struct str s, size_t i, bool in_attribute, uint32_t *cp)
{
	struct str rest = str_from(s, i + 1);
	size_t n;

	if (rest.n > 0 && rest.p[0] == '#') {
		n = numeric(str_from(rest, 1), cp);
		return n > 0 ? n + 2 : 0;
	}
	n = named(rest, in_attribute, cp);
	return n > 0 ? n + 1 : 0;
}
