/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The front matter of a SKILL.md, in the format of agentskills.io: a map in a
 * small, unambiguous part of YAML.  Keys of one line each, plain or quoted;
 * `metadata` is a map of the same form, indented.  Text that YAML reads
 * differently from how it looks is refused.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "skill/skill.h"

/* The current position. */
struct front {
	struct arena *a;
	struct skill_front *out;
	struct str rest;
	struct str folder;
	size_t line;      /* of the file, from 1 */
	unsigned seen;    /* bits of `fields` */
	bool in_metadata; /* indented lines belong to it */
};

enum {
	FIELD_NAME,
	FIELD_DESCRIPTION,
	FIELD_LICENSE,
	FIELD_COMPATIBILITY,
	FIELD_METADATA,
	FIELD_ALLOWED_TOOLS,
	FIELD_COUNT
};

/* In characters, as the format counts. */
static const struct field_rule {
	const char *name;
	size_t max;
} fields[FIELD_COUNT] = {
	[FIELD_NAME] = { "name", 64 },
	[FIELD_DESCRIPTION] = { "description", 1024 },
	[FIELD_LICENSE] = { "license", 500 },
	[FIELD_COMPATIBILITY] = { "compatibility", 500 },
	[FIELD_METADATA] = { "metadata", 0 },
	[FIELD_ALLOWED_TOOLS] = { "allowed-tools", 1024 },
};

static int
skill_front_bad(const struct front *f, struct err *e, const char *what)
{
	return err_set(e, ERR_USAGE, "line %zu: %s", f->line > 0 ? f->line : 1,
	    what);
}

/* The next line, without its end; false at the end of the text. */
static bool
skill_front_next_line(struct front *f, struct str *out)
{
	if (f->rest.n == 0)
		return false;
	(void)str_cut(f->rest, '\n', out, &f->rest);
	f->line++;
	return true;
}

/* In double quotes also \" and \\, in single ones no quote. */
static int
skill_front_read_quoted(struct front *f, struct str s, struct str *out,
    struct err *e)
{
	char quote = s.p[0];
	struct buf b;
	size_t i = 1;

	buf_init(&b, f->a, LIMIT_SKILL);
	for (; i < s.n && s.p[i] != quote; i++) {
		if (quote == '"' && s.p[i] == '\\' && i + 1 < s.n) {
			if (s.p[i + 1] != '"' && s.p[i + 1] != '\\')
				return skill_front_bad(f, e,
				    "in quotes only \\\" and \\\\ are allowed");
			i++;
		}
		buf_char(&b, s.p[i]);
	}
	if (i + 1 != s.n)
		return skill_front_bad(f, e,
		    "the quotes must close at the end of the line");
	*out = buf_view(&b);
	return 0;
}

/* YAML does not read these as text. */
static bool
skill_front_is_other(struct str s)
{
	static const struct str words[] = { SI("true"), SI("false"), SI("yes"),
		SI("no"), SI("on"), SI("off"), SI("null"), SI("~") };
	size_t digits = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (str_eq_case(s, words[i]))
			return true;
	while (digits < s.n && str_has_char(S("0123456789.+_"), s.p[digits]))
		digits++;
	return digits == s.n;
}

/* Plain text that YAML reads as text. */
static int
skill_front_read_plain(struct front *f, struct str s, struct err *e)
{
	if (skill_front_is_other(s))
		return skill_front_bad(f, e,
		    "quote a value that YAML does not read as text");
	if (str_has_char(str_of("-?:,[]{}#&*!|>'\"%@`"), s.p[0]))
		return skill_front_bad(f, e,
		    "quote a value that begins with this character");
	if (str_find(s, S(": ")) >= 0 || str_find(s, S(" #")) >= 0 ||
	    s.p[s.n - 1] == ':')
		return skill_front_bad(f, e,
		    "quote a value that contains \": \" or \" #\"");
	return 0;
}

static int
skill_front_read_value(struct front *f, struct str s, struct str *out,
    struct err *e)
{
	s = str_trim(s);
	if (s.n == 0)
		return skill_front_bad(f, e, "the value is missing");
	if (s.p[0] == '"' || s.p[0] == '\'')
		return skill_front_read_quoted(f, s, out, e);
	*out = s;
	return skill_front_read_plain(f, s, e);
}

static bool
skill_front_is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		bool hyphen = s.p[i] == '-';

		if (!hyphen && !(s.p[i] >= 'a' && s.p[i] <= 'z') &&
		    !(s.p[i] >= '0' && s.p[i] <= '9'))
			return false;
		if (hyphen && (i == 0 || i + 1 == s.n || s.p[i - 1] == '-'))
			return false;
	}
	return s.n > 0;
}

static int
skill_front_put_field(struct front *f, int which, struct str value,
    struct err *e)
{
	struct str *const to[FIELD_COUNT] = {
		[FIELD_NAME] = &f->out->name,
		[FIELD_DESCRIPTION] = &f->out->description,
		[FIELD_LICENSE] = &f->out->license,
		[FIELD_COMPATIBILITY] = &f->out->compatibility,
		[FIELD_ALLOWED_TOOLS] = &f->out->tools,
	};

	if (utf8_count(value) > fields[which].max)
		return skill_front_bad(f, e, "the value is too long");
	if (which == FIELD_NAME && !skill_front_is_name(value))
		return skill_front_bad(f, e,
		    "a name has lower-case letters, digits and single hyphens "
		    "between them");
	if (which == FIELD_NAME && f->folder.n > 0 && !str_eq(value, f->folder))
		return skill_front_bad(f, e, "the name must be the folder's");
	if (to[which] != NULL)
		*to[which] = value;
	return 0;
}

/* A line of the metadata; these keys are emcli's. */
static int
skill_front_read_metadata(struct front *f, struct str line, struct err *e)
{
	struct str key, value;

	if (!f->in_metadata)
		return skill_front_bad(f, e, "this line must not be indented");
	line = str_trim(line);
	if (!str_cut(line, ':', &key, &value) || key.n == 0)
		return skill_front_bad(f, e, "expected a key and its value");
	if (str_starts(key, S("io.modelcontextprotocol/")))
		return skill_front_bad(f, e, "that key is reserved");
	if (skill_front_read_value(f, value, &value, e) < 0)
		return -1;
	if (str_eq(key, S("label")))
		f->out->label = value;
	if (str_eq(key, S("whole")))
		f->out->whole = str_eq(value, S("yes"));
	if (str_eq(key, S("home")))
		f->out->home = str_eq(value, S("yes"));
	return 0;
}

static int
skill_front_read_key(struct front *f, struct str line, struct err *e)
{
	struct str key, value;
	int i = 0;

	if (!str_cut(line, ':', &key, &value))
		return skill_front_bad(f, e, "expected a key and its value");
	while (i < FIELD_COUNT && !str_eq(key, str_of(fields[i].name)))
		i++;
	if (i == FIELD_COUNT)
		return skill_front_bad(f, e, "unknown field");
	if (f->seen & 1U << i)
		return skill_front_bad(f, e, "the field is given twice");
	f->seen |= 1U << i;
	f->in_metadata = i == FIELD_METADATA;
	if (f->in_metadata)
		return str_trim(value).n == 0
		    ? 0
		    : skill_front_bad(f, e,
			  "metadata is a map, indented below");
	if (value.n > 0 && value.p[0] != ' ')
		return skill_front_bad(f, e, "a space must follow the colon");
	if (skill_front_read_value(f, value, &value, e) < 0)
		return -1;
	return skill_front_put_field(f, i, value, e);
}

static int
read_front(struct front *f, struct err *e)
{
	struct str line;

	if (!skill_front_next_line(f, &line) || !str_eq(line, S("---")))
		return skill_front_bad(f, e,
		    "a skill must begin with a line ---");
	for (;;) {
		int r;

		if (!skill_front_next_line(f, &line))
			return skill_front_bad(f, e,
			    "the front matter has no end: add a line ---");
		if (str_eq(line, S("---")))
			return 0;
		if (line.n > 0 && line.p[0] == ' ')
			r = skill_front_read_metadata(f, line, e);
		else
			r = skill_front_read_key(f, line, e);
		if (r < 0)
			return -1;
	}
}

static int
skill_front_check_text(struct front *f, struct str text, struct err *e)
{
	if (text.n > LIMIT_SKILL)
		return err_set(e, ERR_LIMIT,
		    "the file is longer than %lu bytes", LIMIT_SKILL);
	if (!utf8_valid(text))
		return err_set(e, ERR_USAGE, "the file is not UTF-8");
	f->line = 1;
	for (size_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.p[i];

		f->line += c == '\n';
		if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
			return skill_front_bad(f, e,
			    "the line has a control character");
	}
	f->line = 0;
	return 0;
}

int
skill_front_read(struct str text, struct str folder, struct arena *a,
    struct skill_front *out, struct err *e)
{
	struct front f = { .a = a, .out = out, .rest = text, .folder = folder };

	*out = (struct skill_front){ 0 };
	if (skill_front_check_text(&f, text, e) < 0 || read_front(&f, e) < 0)
		return -1;
	if (out->name.n == 0)
		return skill_front_bad(&f, e, "the name is missing");
	if (out->description.n == 0)
		return skill_front_bad(&f, e, "the description is missing");
	out->body = str_trim(f.rest);
	if (out->body.n == 0)
		return skill_front_bad(&f, e,
		    "there is no text after the front matter");
	if (out->label.n == 0)
		out->label = out->name;
	return 0;
}
