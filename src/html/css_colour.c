/* SPDX-License-Identifier: Apache-2.0 */
/* Colours of CSS Color 4 and of HTML, and when two are too close to read. */
#include <string.h>

#include "html/css.h"

#define NAME_MAX_LEN 24

struct named {
	const char *name;
	uint32_t rgb;
};

/*
 * In the order of strcmp(3); the system's colours are those of a light screen.
 */
/* clang-format off */
static const struct named named[] = {
	{ "activeborder", 0x000000 }, { "activecaption", 0xFFFFFF },
	{ "activetext", 0xFF0000 }, { "aliceblue", 0xF0F8FF },
	{ "antiquewhite", 0xFAEBD7 }, { "appworkspace", 0xFFFFFF },
	{ "aqua", 0x00FFFF }, { "aquamarine", 0x7FFFD4 },
	{ "azure", 0xF0FFFF }, { "background", 0xFFFFFF },
	{ "beige", 0xF5F5DC }, { "bisque", 0xFFE4C4 }, { "black", 0x000000 },
	{ "blanchedalmond", 0xFFEBCD }, { "blue", 0x0000FF },
	{ "blueviolet", 0x8A2BE2 }, { "brown", 0xA52A2A },
	{ "burlywood", 0xDEB887 }, { "buttonborder", 0x000000 },
	{ "buttonface", 0xEFEFEF }, { "buttonhighlight", 0xEFEFEF },
	{ "buttonshadow", 0xEFEFEF }, { "buttontext", 0x000000 },
	{ "cadetblue", 0x5F9EA0 }, { "canvas", 0xFFFFFF },
	{ "canvastext", 0x000000 }, { "captiontext", 0x000000 },
	{ "chartreuse", 0x7FFF00 }, { "chocolate", 0xD2691E },
	{ "coral", 0xFF7F50 }, { "cornflowerblue", 0x6495ED },
	{ "cornsilk", 0xFFF8DC }, { "crimson", 0xDC143C },
	{ "cyan", 0x00FFFF }, { "darkblue", 0x00008B },
	{ "darkcyan", 0x008B8B }, { "darkgoldenrod", 0xB8860B },
	{ "darkgray", 0xA9A9A9 }, { "darkgreen", 0x006400 },
	{ "darkgrey", 0xA9A9A9 }, { "darkkhaki", 0xBDB76B },
	{ "darkmagenta", 0x8B008B }, { "darkolivegreen", 0x556B2F },
	{ "darkorange", 0xFF8C00 }, { "darkorchid", 0x9932CC },
	{ "darkred", 0x8B0000 }, { "darksalmon", 0xE9967A },
	{ "darkseagreen", 0x8FBC8F }, { "darkslateblue", 0x483D8B },
	{ "darkslategray", 0x2F4F4F }, { "darkslategrey", 0x2F4F4F },
	{ "darkturquoise", 0x00CED1 }, { "darkviolet", 0x9400D3 },
	{ "deeppink", 0xFF1493 }, { "deepskyblue", 0x00BFFF },
	{ "dimgray", 0x696969 }, { "dimgrey", 0x696969 },
	{ "dodgerblue", 0x1E90FF }, { "field", 0xFFFFFF },
	{ "fieldtext", 0x000000 }, { "firebrick", 0xB22222 },
	{ "floralwhite", 0xFFFAF0 }, { "forestgreen", 0x228B22 },
	{ "fuchsia", 0xFF00FF }, { "gainsboro", 0xDCDCDC },
	{ "ghostwhite", 0xF8F8FF }, { "gold", 0xFFD700 },
	{ "goldenrod", 0xDAA520 }, { "gray", 0x808080 },
	{ "graytext", 0x808080 }, { "green", 0x008000 },
	{ "greenyellow", 0xADFF2F }, { "grey", 0x808080 },
	{ "highlight", 0x3399FF }, { "highlighttext", 0x000000 },
	{ "honeydew", 0xF0FFF0 }, { "hotpink", 0xFF69B4 },
	{ "inactiveborder", 0x000000 }, { "inactivecaption", 0xFFFFFF },
	{ "inactivecaptiontext", 0x808080 }, { "indianred", 0xCD5C5C },
	{ "indigo", 0x4B0082 }, { "infobackground", 0xFFFFFF },
	{ "infotext", 0x000000 }, { "ivory", 0xFFFFF0 }, { "khaki", 0xF0E68C },
	{ "lavender", 0xE6E6FA }, { "lavenderblush", 0xFFF0F5 },
	{ "lawngreen", 0x7CFC00 }, { "lemonchiffon", 0xFFFACD },
	{ "lightblue", 0xADD8E6 }, { "lightcoral", 0xF08080 },
	{ "lightcyan", 0xE0FFFF }, { "lightgoldenrodyellow", 0xFAFAD2 },
	{ "lightgray", 0xD3D3D3 }, { "lightgreen", 0x90EE90 },
	{ "lightgrey", 0xD3D3D3 }, { "lightpink", 0xFFB6C1 },
	{ "lightsalmon", 0xFFA07A }, { "lightseagreen", 0x20B2AA },
	{ "lightskyblue", 0x87CEFA }, { "lightslategray", 0x778899 },
	{ "lightslategrey", 0x778899 }, { "lightsteelblue", 0xB0C4DE },
	{ "lightyellow", 0xFFFFE0 }, { "lime", 0x00FF00 },
	{ "limegreen", 0x32CD32 }, { "linen", 0xFAF0E6 },
	{ "linktext", 0x0000EE }, { "magenta", 0xFF00FF },
	{ "mark", 0xFFFF00 }, { "marktext", 0x000000 }, { "maroon", 0x800000 },
	{ "mediumaquamarine", 0x66CDAA }, { "mediumblue", 0x0000CD },
	{ "mediumorchid", 0xBA55D3 }, { "mediumpurple", 0x9370DB },
	{ "mediumseagreen", 0x3CB371 }, { "mediumslateblue", 0x7B68EE },
	{ "mediumspringgreen", 0x00FA9A }, { "mediumturquoise", 0x48D1CC },
	{ "mediumvioletred", 0xC71585 }, { "menu", 0xFFFFFF },
	{ "menutext", 0x000000 }, { "midnightblue", 0x191970 },
	{ "mintcream", 0xF5FFFA }, { "mistyrose", 0xFFE4E1 },
	{ "moccasin", 0xFFE4B5 }, { "navajowhite", 0xFFDEAD },
	{ "navy", 0x000080 }, { "oldlace", 0xFDF5E6 }, { "olive", 0x808000 },
	{ "olivedrab", 0x6B8E23 }, { "orange", 0xFFA500 },
	{ "orangered", 0xFF4500 }, { "orchid", 0xDA70D6 },
	{ "palegoldenrod", 0xEEE8AA }, { "palegreen", 0x98FB98 },
	{ "paleturquoise", 0xAFEEEE }, { "palevioletred", 0xDB7093 },
	{ "papayawhip", 0xFFEFD5 }, { "peachpuff", 0xFFDAB9 },
	{ "peru", 0xCD853F }, { "pink", 0xFFC0CB }, { "plum", 0xDDA0DD },
	{ "powderblue", 0xB0E0E6 }, { "purple", 0x800080 },
	{ "rebeccapurple", 0x663399 }, { "red", 0xFF0000 },
	{ "rosybrown", 0xBC8F8F }, { "royalblue", 0x4169E1 },
	{ "saddlebrown", 0x8B4513 }, { "salmon", 0xFA8072 },
	{ "sandybrown", 0xF4A460 }, { "scrollbar", 0xFFFFFF },
	{ "seagreen", 0x2E8B57 }, { "seashell", 0xFFF5EE },
	{ "sienna", 0xA0522D }, { "silver", 0xC0C0C0 },
	{ "skyblue", 0x87CEEB }, { "slateblue", 0x6A5ACD },
	{ "slategray", 0x708090 }, { "slategrey", 0x708090 },
	{ "snow", 0xFFFAFA }, { "springgreen", 0x00FF7F },
	{ "steelblue", 0x4682B4 }, { "tan", 0xD2B48C }, { "teal", 0x008080 },
	{ "thistle", 0xD8BFD8 }, { "threeddarkshadow", 0x000000 },
	{ "threedface", 0xEFEFEF }, { "threedhighlight", 0x000000 },
	{ "threedlightshadow", 0x000000 }, { "threedshadow", 0x000000 },
	{ "tomato", 0xFF6347 }, { "turquoise", 0x40E0D0 },
	{ "violet", 0xEE82EE }, { "visitedtext", 0x551A8B },
	{ "wheat", 0xF5DEB3 }, { "white", 0xFFFFFF },
	{ "whitesmoke", 0xF5F5F5 }, { "window", 0xFFFFFF },
	{ "windowframe", 0x000000 }, { "windowtext", 0x000000 },
	{ "yellow", 0xFFFF00 }, { "yellowgreen", 0x9ACD32 },
};
/* clang-format on */

/* In lower case, or false if it is longer than any known name. */
static bool
css_colour_lower(char out[NAME_MAX_LEN], struct str s)
{
	if (s.n >= NAME_MAX_LEN)
		return false;
	for (size_t i = 0; i < s.n; i++)
		out[i] = (char)(s.p[i] >= 'A' && s.p[i] <= 'Z' ? s.p[i] + 32
							       : s.p[i]);
	out[s.n] = '\0';
	return true;
}

static bool
css_colour_by_name(struct str s, uint32_t *rgba)
{
	size_t lo = 0, hi = sizeof(named) / sizeof(named[0]);
	char name[NAME_MAX_LEN];

	if (!css_colour_lower(name, s))
		return false;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c = css_text_order(name, named[mid].name);

		if (c == 0) {
			*rgba = named[mid].rgb << 8 | 0xFF;
			return true;
		}
		if (c < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return false;
}

/* "#rgb", "#rgba", "#rrggbb", "#rrggbbaa" without the "#". */
static bool
css_colour_by_digits(struct str s, uint32_t *rgba)
{
	uint32_t v = 0;

	if (s.n != 3 && s.n != 4 && s.n != 6 && s.n != 8)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		int d = str_hex(s.p[i]);

		if (d < 0)
			return false;
		v = v << 4 | (uint32_t)d;
		if (s.n <= 4)
			v = v << 4 | (uint32_t)d;
	}
	*rgba = s.n == 3 || s.n == 6 ? v << 8 | 0xFF : v;
	return true;
}

static uint32_t
css_colour_byte_of(double v)
{
	return v <= 0 ? 0 : v >= 255 ? 255 : (uint32_t)(v + 0.5);
}

/* CSS Color 4 section 7.1; h in degrees, s and l from 0 to 1. */
static uint32_t
css_colour_hsl(double h, double s, double l, uint32_t alpha)
{
	static const double at[3] = { 0, 8, 4 };
	uint32_t rgb = 0;
	double low = s * (l < 1 - l ? l : 1 - l);

	h -= 360.0 * (double)(long long)(h / 360);
	if (h < 0)
		h += 360;
	for (size_t i = 0; i < 3; i++) {
		double k = at[i] + h / 30, m;

		k = k >= 12 ? k - 12 : k;
		m = k - 3 < 9 - k ? k - 3 : 9 - k;
		m = m < -1 ? -1 : m > 1 ? 1 : m;
		rgb = rgb << 8 | css_colour_byte_of((l - low * m) * 255);
	}
	return rgb << 8 | alpha;
}

/* An angle in degrees; false if it is not one. */
static bool
css_colour_angle(const struct css_token *x, double *v)
{
	static const struct {
		struct str unit;
		double degrees;
	} units[] = { { SI(""), 1 }, { SI("deg"), 1 }, { SI("grad"), 0.9 },
		{ SI("rad"), 57.29578 }, { SI("turn"), 360 } };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (str_eq_case(x->text, units[i].unit)) {
			*v = x->n * units[i].degrees;
			return true;
		}
	return false;
}

/*
 * One of the numbers of rgb() or css_colour_hsl(); false if no browser accepts
 * it.
 */
static bool
css_colour_number(const struct css_token *x, bool is_hsl, size_t n, double *v)
{
	bool percent = str_eq(x->text, S("%"));

	if (x->n > 1e6 || x->n < -1e6)
		return false;
	if (is_hsl && n == 0)
		return css_colour_angle(x, v);
	if (is_hsl && n < 3)
		*v = x->n / 100;
	else
		*v = percent ? x->n / 100 * (n == 3 ? 1 : 255) : x->n;
	return percent || x->text.n == 0;
}

/* The form of a function's numbers. */
struct form {
	size_t n, commas, slashes, percents;
	bool unknown;
};

/* A comma, a slash, "none" or a function; false if no browser accepts it. */
static bool
css_colour_other(struct form *f, const struct css_token *x)
{
	if (x->kind == CSS_T_SIGN && f->n > 0 && f->n < 4 &&
	    f->commas + f->slashes < f->n) {
		f->commas += x->text.p[0] == ',';
		f->slashes += x->text.p[0] == '/' && f->n == 3;
		return x->text.p[0] == ',' || x->text.p[0] == '/';
	}
	f->unknown |= x->kind == CSS_T_WORD &&
	    (str_eq_case(x->text, S("none")) ||
		(f->n == 0 && str_eq_case(x->text, S("from"))));
	f->unknown |= x->kind == CSS_T_CALL && css_calc_is(x->text);
	f->n++;
	return f->unknown;
}

/* rgb() and css_colour_hsl(), CSS Color 4 sections 5 and 7: with commas or
 * without. */
static int
css_colour_by_call(const struct css_token *t, uint32_t *rgba)
{
	bool is_hsl = str_starts_case(t->text, S("hsl"));
	struct str rest = t->args;
	double v[4] = { 0, 0, 0, 1 };
	struct form f = { 0 };

	for (;;) {
		struct css_token x = css_token_next(&rest);

		if (x.kind == CSS_T_END)
			break;
		if (x.kind != CSS_T_NUMBER) {
			if (!css_colour_other(&f, &x))
				return 0;
			if (f.unknown)
				return -1;
			continue;
		}
		if (f.n == 4 || !css_colour_number(&x, is_hsl, f.n, &v[f.n]))
			return 0;
		f.percents += f.n < 3 && str_eq(x.text, S("%"));
		f.n++;
	}
	if (f.n < 3 ||
	    !((f.commas == f.n - 1 && f.slashes == 0) ||
		(f.commas == 0 && f.slashes == f.n - 3)))
		return 0;
	/* With commas all must be of one kind. */
	if (f.commas > 0 &&
	    (is_hsl ? f.percents != 2 : f.percents != 0 && f.percents != 3))
		return 0;
	v[3] = v[3] < 0 ? 0 : v[3] > 1 ? 1 : v[3];
	if (is_hsl) {
		for (size_t i = 1; i < 3; i++)
			v[i] = v[i] < 0 ? 0 : v[i] > 1 ? 1 : v[i];
		*rgba = css_colour_hsl(v[0], v[1], v[2],
		    css_colour_byte_of(v[3] * 255));
		return 1;
	}
	*rgba = css_colour_byte_of(v[0]) << 24 |
	    css_colour_byte_of(v[1]) << 16 | css_colour_byte_of(v[2]) << 8 |
	    css_colour_byte_of(v[3] * 255);
	return 1;
}

int
css_colour_read(const struct css_token *t, uint32_t *rgba)
{
	/* Browsers know these functions, this program does not. */
	static const struct css_words others[] = { CSS_W("hwb"), CSS_W("lab"),
		CSS_W("lch"), CSS_W("oklab"), CSS_W("oklch"), CSS_W("color"),
		CSS_W("color-mix"), CSS_W("light-dark"),
		CSS_W("contrast-color"), CSS_W("device-cmyk"), CSS_W("alpha"),
		CSS_W("") };

	if (t->kind == CSS_T_HASH)
		return css_colour_by_digits(t->text, rgba);
	if (t->kind == CSS_T_WORD) {
		if (!str_eq_case(t->text, S("transparent")))
			return css_colour_by_name(t->text, rgba);
		*rgba = 0;
		return 1;
	}
	if (t->kind != CSS_T_CALL)
		return 0;
	if (str_eq_case(t->text, S("rgb")) || str_eq_case(t->text, S("rgba")) ||
	    str_eq_case(t->text, S("hsl")) || str_eq_case(t->text, S("hsla")))
		return css_colour_by_call(t, rgba);
	return css_words_find(t->text, others) != NULL ? -1 : 0;
}

/* Characters other than digits count as 0. */
static uint32_t
css_colour_digit(struct str s, size_t i)
{
	int d = i < s.n ? str_hex(s.p[i]) : 0;

	return d < 0 ? 0 : (uint32_t)d;
}

bool
css_colour_legacy(struct str s, uint32_t *rgba)
{
	size_t part, skip;
	uint32_t rgb = 0;

	s = css_text_trim(s);
	if (s.n == 0 || str_eq_case(s, S("transparent")))
		return false;
	if (css_colour_by_name(s, rgba))
		return true;
	if (s.n == 4 && s.p[0] == '#' &&
	    css_colour_by_digits(str_from(s, 1), rgba))
		return true;
	s = str_first(s, 128);
	if (s.p[0] == '#')
		s = str_from(s, 1);
	/* Three parts of equal length, of which two digits count. */
	part = (s.n + 2) / 3;
	part = part == 0 ? 1 : part;
	skip = part > 8 ? part - 8 : 0;
	while (part - skip > 2 && css_colour_digit(s, skip) == 0 &&
	    css_colour_digit(s, part + skip) == 0 &&
	    css_colour_digit(s, 2 * part + skip) == 0)
		skip++;
	for (size_t i = 0; i < 3; i++) {
		uint32_t v = css_colour_digit(s, i * part + skip);

		if (part - skip > 1)
			v = v << 4 | css_colour_digit(s, i * part + skip + 1);
		rgb = rgb << 8 | v;
	}
	*rgba = rgb << 8 | 0xFF;
	return true;
}

static double
css_colour_channel(uint32_t c, int which)
{
	return (double)(c >> (24 - 8 * which) & 0xFF);
}

uint32_t
css_colour_mix(uint32_t over, double opacity, uint32_t under)
{
	double part = opacity * css_colour_channel(over, 3) / 255;
	uint32_t out = 0;

	if ((over & 0xFF) == 0xFF && opacity >= 1 && opacity <= 1)
		return over;
	for (int i = 0; i < 3; i++)
		out = out << 8 |
		    css_colour_byte_of(css_colour_channel(over, i) * part +
			css_colour_channel(under, i) * (1 - part));
	return out << 8 | 0xFF;
}

/* Relative luminance, with a gamma of 2 instead of 2.4: close enough. */
static double
css_colour_luminance(uint32_t c)
{
	double r = css_colour_channel(c, 0) / 255,
	       g = css_colour_channel(c, 1) / 255,
	       b = css_colour_channel(c, 2) / 255;

	return 0.2126 * r * r + 0.7152 * g * g + 0.0722 * b * b;
}

bool
css_colour_near(uint32_t x, uint32_t y)
{
	double a, b;

	if (x >> 8 == y >> 8)
		return true;
	/* Red on a grey of the same brightness is readable. */
	for (int i = 8; i < 32; i += 8) {
		int d = (int)(x >> i & 0xFF) - (int)(y >> i & 0xFF);

		if (d > 90 || d < -90)
			return false;
	}
	a = css_colour_luminance(x) + 0.05;
	b = css_colour_luminance(y) + 0.05;
	return (a > b ? a / b : b / a) < 1.2;
}
