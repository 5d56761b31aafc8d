/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes gen/mime/charset_tables.c of iconv(3): what it makes of every byte,
 * and of every byte behind those that are too few, in each charset that mail
 * may name and that is not Unicode's.  See mime/charset_table.h.
 */
#include <err.h>
#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mime/charset_table.h"
#include "mime/internal.h"

enum {
	CELLS = 1 << 20,
	ROWS = 1 << 14,
	FEW = 1 << 12
};

static uint16_t cells[CELLS];
static struct charset_row rows[ROWS];
static uint32_t pairs[CHARSET_FOUR - CHARSET_PAIR][2];
static struct charset_join joins[FEW];
static struct charset_run runs[FEW];
static size_t cell_n, row_n, pair_n, join_n, run_n;

/* A charset, and what is written before each of its characters. */
struct asked {
	iconv_t cd;
	const char *name;
	char before[8];
	size_t before_n;
	bool printable; /* only such bytes begin a character */
	struct charset_set set;
};

struct answer {
	enum {
		VALID,
		INVALID,
		TOO_FEW
	} is;
	uint32_t cp[4];
	size_t n;
	bool held; /* until it is known what follows */
};

static struct answer
ask(const struct asked *a, const unsigned char *bytes, size_t n)
{
	struct answer r = { VALID, { 0 }, 0, false };
	char text[32], *in = text, *out = (char *)r.cp;
	size_t in_left = a->before_n + n, out_left = sizeof(r.cp);

	memcpy(text, a->before, a->before_n);
	memcpy(text + a->before_n, bytes, n);
	(void)iconv(a->cd, NULL, NULL, NULL, NULL);
	if (iconv(a->cd, &in, &in_left, &out, &out_left) == (size_t)-1) {
		r.is = errno == EINVAL ? TOO_FEW : INVALID;
		return r;
	}
	r.held = out_left == sizeof(r.cp);
	(void)iconv(a->cd, NULL, NULL, &out, &out_left);
	r.n = (sizeof(r.cp) - out_left) / sizeof(r.cp[0]);
	return r;
}

static uint16_t
pair(const uint32_t cp[2])
{
	size_t i = 0;

	while (i < pair_n && memcmp(pairs[i], cp, sizeof(pairs[i])) != 0)
		i++;
	if (i == CHARSET_FOUR - CHARSET_PAIR)
		errx(1, "too many pairs");
	memcpy(pairs[i], cp, sizeof(pairs[i]));
	if (i == pair_n)
		pair_n++;
	return (uint16_t)(CHARSET_PAIR + i);
}

/* A row as it is asked for: 0x20000 and above is U+2xxxx. */
struct draft {
	uint32_t cell[256];
	unsigned first, last;
};

/* Where these cells are; many charsets have the same, or some of them. */
static uint32_t
keep(const uint16_t *v, size_t n)
{
	const char *at = (const char *)cells, *end = (char *)(cells + cell_n);

	for (; (at = memmem(at, (size_t)(end - at), v, n * sizeof(*v))) != NULL;
	     at++)
		if ((at - (const char *)cells) % (ptrdiff_t)sizeof(*v) == 0)
			return (uint32_t)((const uint16_t *)(const void *)at -
			    cells);
	if (cell_n + n > CELLS)
		errx(1, "too many cells");
	memcpy(cells + cell_n, v, n * sizeof(*v));
	cell_n += n;
	return (uint32_t)(cell_n - n);
}

/* The row of these cells, which the set may have already. */
static size_t
finish(const struct asked *a, const struct draft *d)
{
	uint16_t v[256 + 16] = { 0 };
	unsigned n = d->last - d->first + 1;
	struct charset_row made = { (uint8_t)d->first, (uint8_t)d->last, 0, 0 };

	for (unsigned i = 0; i < n; i++) {
		v[i] = (uint16_t)d->cell[d->first + i];
		if (d->cell[d->first + i] >= 0x20000) {
			v[n + i / 16] |= (uint16_t)(1 << i % 16);
			made.high = 1;
		}
	}
	made.at = keep(v, made.high ? n + (n + 15) / 16 : n);
	for (size_t i = a->set.row; i < row_n; i++)
		if (rows[i].first == made.first && rows[i].last == made.last &&
		    rows[i].high == made.high && rows[i].at == made.at)
			return i;
	if (row_n == ROWS)
		errx(1, "too many rows");
	rows[row_n] = made;
	return row_n++;
}

static size_t explore(struct asked *a, unsigned char *bytes, size_t n);

static uint32_t
cell(struct asked *a, unsigned char *bytes, size_t n)
{
	struct answer r = ask(a, bytes, n);

	if (r.is == INVALID)
		return CHARSET_NONE;
	/* Four bytes are counted in runs, or the rows would be thousands. */
	if (r.is == TOO_FEW && n == 2 && strcmp(a->name, "GB18030") == 0)
		return CHARSET_FOUR;
	if (r.is == TOO_FEW) {
		size_t down = explore(a, bytes, n) - a->set.row;

		if (down >= CHARSET_PAIR - CHARSET_DOWN)
			errx(1, "%s: too many rows", a->name);
		return CHARSET_DOWN + (uint32_t)down;
	}
	if (r.n == 2)
		return pair(r.cp);
	if (r.n != 1 || r.cp[0] >= 0x30000 || r.cp[0] == CHARSET_NONE ||
	    (r.cp[0] >= 0x10000 && r.cp[0] < 0x20000) ||
	    (r.cp[0] & 0xFFFF) == CHARSET_NONE)
		errx(1, "%s: a character that does not fit", a->name);
	return r.cp[0];
}

/* The row of what follows these bytes. */
static size_t
explore(struct asked *a, unsigned char *bytes, size_t n)
{
	struct draft d = { .first = 256, .last = 0 };

	for (unsigned c = 0; c < 256; c++) {
		bytes[n] = (unsigned char)c;
		/* Controls mean the same behind every escape sequence. */
		d.cell[c] = a->printable && n == 0 && (c < ' ' || c > 0x7f)
		    ? CHARSET_NONE
		    : cell(a, bytes, n + 1);
		if (d.cell[c] == CHARSET_NONE ||
		    (n == 0 && a->set.ascii && c < 0x80))
			continue;
		d.last = c;
		if (d.first == 256)
			d.first = c;
	}
	if (d.first == 256)
		d.first = d.last;
	return finish(a, &d);
}

static bool
ascii(const struct asked *a)
{
	for (unsigned char c = 0; c < 0x80; c++) {
		struct answer r = ask(a, &c, 1);

		if (r.is != VALID || r.n != 1 || r.cp[0] != c)
			return false;
	}
	return true;
}

static void
join(uint32_t letter, uint32_t mark, uint32_t both, bool held)
{
	if (join_n == FEW)
		errx(1, "too many joined");
	joins[join_n++] = (struct charset_join){ (uint16_t)letter,
		(uint16_t)mark, (uint16_t)both, held };
}

/* What is held behind these bytes, and what each mark makes of it. */
static void
explore_joins(const struct asked *a, unsigned char *bytes, size_t n)
{
	struct answer letter = ask(a, bytes, n), both;

	if (letter.is != VALID || letter.n != 1)
		return;
	join(letter.cp[0], 0, 0, true);
	for (unsigned c = 0x80; c < 256; c++) {
		unsigned char mark = (unsigned char)c;

		bytes[n] = mark;
		both = ask(a, bytes, n + 1);
		if (both.is != VALID || both.n != 1)
			continue;
		join(letter.cp[0], ask(a, &mark, 1).cp[0], both.cp[0],
		    both.held);
		if (both.held)
			explore_joins(a, bytes, n + 1);
	}
}

/* By letter and mark, for a search by halves. */
static int
compare_joins(const void *x, const void *y)
{
	const struct charset_join *a = x, *b = y;

	return a->letter != b->letter ? a->letter - b->letter
				      : a->mark - b->mark;
}

static void
explore_runs(const struct asked *a)
{
	struct charset_run last = { 0, 0 };

	for (uint32_t at = 0; at < 126 * 10 * 126 * 10; at++) {
		unsigned char b[] = { (unsigned char)(0x81 + at / 12600),
			(unsigned char)(0x30 + at / 1260 % 10),
			(unsigned char)(0x81 + at / 10 % 126),
			(unsigned char)(0x30 + at % 10) };
		struct answer r = ask(a, b, 4);
		uint32_t cp = r.is == VALID && r.n == 1 ? r.cp[0] : 0;

		if (run_n > 0 &&
		    cp == (last.first == 0 ? 0 : last.first + at - last.at))
			continue;
		if (run_n == FEW)
			errx(1, "too many runs");
		last = (struct charset_run){ at, cp };
		runs[run_n++] = last;
	}
}

static struct charset_set
make(const char *name, const char *before)
{
	struct asked a = { .name = name, .before_n = strlen(before) };
	unsigned char bytes[16];

	memcpy(a.before, before, a.before_n);
	a.printable = a.before_n > 0 && strstr(before + 1, "\x1b") == NULL;
	a.cd = iconv_open("UTF-32LE", name);
	if (a.cd == (iconv_t)-1)
		err(1, "%s", name);
	a.set = (struct charset_set){ .name = name,
		.row = (uint16_t)row_n,
		.join = (uint16_t)join_n };
	a.set.ascii = before[0] == '\0' && ascii(&a);
	a.set.first = (uint16_t)explore(&a, bytes, 0);
	for (unsigned c = 1; c < 256 && before[0] == '\0'; c++) {
		bytes[0] = (unsigned char)c;
		if (ask(&a, bytes, 1).held)
			explore_joins(&a, bytes, 1);
	}
	a.set.join_n = (uint16_t)(join_n - a.set.join);
	qsort(joins + a.set.join, a.set.join_n, sizeof(joins[0]),
	    compare_joins);
	if (strcmp(name, "GB18030") == 0)
		explore_runs(&a);
	(void)iconv_close(a.cd);
	return a.set;
}

static void
put_set(const struct charset_set *s)
{
	printf("\t{ \"%s\", %u, %u, %u, %u, %s },\n", s->name, s->row, s->first,
	    s->join, s->join_n, s->ascii ? "true" : "false");
}

static void
put_sets(void)
{
	static const char *const other[] = { "US-ASCII", "CP1252", "HZ" };
	const struct charset_label *l = charset_label_table;

	printf("const struct charset_set charset_tables_sets[] = {\n");
	for (size_t i = 0; i < charset_label_count; i++) {
		struct charset_set s;
		bool skip = strncmp(l[i].name, "UTF-", 4) == 0 ||
		    strncmp(l[i].name, "ISO-2022-", 9) == 0;

		for (size_t k = 0; k < 3; k++)
			skip = skip || strcmp(l[i].name, other[k]) == 0;
		for (size_t k = 0; k < i; k++)
			skip = skip || strcmp(l[i].name, l[k].name) == 0;
		if (skip)
			continue;
		s = make(l[i].name, "");
		put_set(&s);
	}
	printf("\t{ NULL, 0, 0, 0, 0, false },\n};\n");
}

static void
put_escapes(void)
{
	static const char *const behind[] = { "", "\x0e", "\x1bN", "\x1bO" };
	const struct charset_escape *t = charset_escape_table;

	printf("const struct charset_set charset_tables_escapes[] = {\n");
	for (; t->charset != NULL; t++) {
		char before[8];
		struct charset_set s;

		(void)snprintf(before, sizeof(before), "\x1b%s%s", t->bytes,
		    behind[t->slot]);
		s = make(t->charset, before);
		put_set(&s);
	}
	printf("};\n");
}

static void
put_rest(void)
{
	printf("const uint16_t charset_tables_cells[] = {");
	for (size_t i = 0; i < cell_n; i++)
		printf("%s%u,", i % 12 == 0 ? "\n\t" : " ", cells[i]);
	printf("\n};\nconst struct charset_row charset_tables_rows[] = {\n");
	for (size_t i = 0; i < row_n; i++)
		printf("\t{ %u, %u, %u, %u },\n", rows[i].first, rows[i].last,
		    rows[i].high, (unsigned)rows[i].at);
	printf("};\nconst uint32_t charset_tables_pairs[][2] = {\n");
	for (size_t i = 0; i < pair_n; i++)
		printf("\t{ %u, %u },\n", (unsigned)pairs[i][0],
		    (unsigned)pairs[i][1]);
	printf("};\nconst struct charset_join charset_tables_joins[] = {\n");
	for (size_t i = 0; i < join_n; i++)
		printf("\t{ %u, %u, %u, %d },\n", joins[i].letter,
		    joins[i].mark, joins[i].both, joins[i].held);
	printf("};\nconst struct charset_run charset_tables_runs[] = {\n");
	for (size_t i = 0; i < run_n; i++)
		printf("\t{ %u, %u },\n", (unsigned)runs[i].at,
		    (unsigned)runs[i].first);
	printf("};\nconst size_t charset_tables_run_n = %zu;\n", run_n);
}

int
main(void)
{
	printf("/* Charsets, as tools/charsets makes them of iconv(3). */\n"
	       "#include \"mime/charset_table.h\"\n");
	put_sets();
	put_escapes();
	put_rest();
	if (ferror(stdout) || fflush(stdout) != 0)
		err(1, "output");
	return 0;
}
