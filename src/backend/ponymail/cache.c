/*
 * What is known of a list, beside the store: a file of lines, written whole
 * and put in its place, so that a reader sees the old one or the new one.  It
 * can be made anew from the archive, so that nothing about it is an error.
 *
 *	emcli-ponymail 1 <SHA-256 of the rest, hex>
 *	M <month> <told> <listed>
 *	<epoch> <mid> <Message-ID> <In-Reply-To>	as many as listed
 *
 * Texts are percent-encoded, an empty one is "-".
 */
#include <errno.h>
#include <fcntl.h>

#include "backend/ponymail/internal.h"
#include "base/path.h"
#include "net/sha256.h"

#define MAGIC "emcli-ponymail 1 "
#define CACHE_MAX (512UL << 20)

static struct str
hex(struct arena *a, struct str bytes)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char sum[32];
	char *p = arena_alloc(a, 64);

	sha256_of(bytes, sum);
	for (size_t i = 0; i < 64; i++)
		p[i] = digits[sum[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15];
	return (struct str){ p, 64 };
}

/* One of its own for each account: who sees what depends on the session. */
static struct str
file_name(const struct pony *p, struct arena *a, const struct pony_list *l)
{
	const struct backend_account *acct = p->conn.acct;
	struct str key = str_fmt(a, "%.*s\n%.*s\n%d\n%.*s", STR_ARG(acct->name),
	    STR_ARG(p->base), acct->secret != NULL, STR_ARG(l->folder));

	return str_fmt(a, "ponymail-%.*s", STR_ARG(str_first(hex(a, key), 32)));
}

static void
put_text(struct buf *b, struct str s, char end)
{
	static const char digits[] = "0123456789ABCDEF";

	if (s.n == 0)
		buf_char(b, '-');
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c > ' ' && c < 0x7f && c != '%' && (c != '-' || s.n > 1)) {
			buf_char(b, (char)c);
		} else {
			buf_char(b, '%');
			buf_char(b, digits[c >> 4]);
			buf_char(b, digits[c & 15]);
		}
	}
	buf_char(b, end);
}

struct str
ponymail_cache_text(struct arena *a, const struct pony_list *l)
{
	struct buf b;

	buf_init(&b, a, CACHE_MAX);
	for (size_t i = 0; i < l->months; i++) {
		const struct pony_month *m = &l->month[i];

		if (!m->known)
			continue;
		buf_fmt(&b, "M %d %u %u\n", m->at, m->told, m->n);
		for (uint32_t k = 0; k < m->n; k++) {
			const struct pony_entry *x = &m->v[k];

			buf_fmt(&b, "%lld ", (long long)x->epoch);
			put_text(&b, x->mid, ' ');
			put_text(&b, x->message_id, ' ');
			put_text(&b, x->parent, '\n');
		}
	}
	if (b.over)
		return S("");
	return str_fmt(a, MAGIC "%.*s\n%.*s", STR_ARG(hex(a, buf_view(&b))),
	    STR_ARG(buf_view(&b)));
}

static struct str
word(struct str *line)
{
	struct str w;

	(void)str_cut(*line, ' ', &w, line);
	return w;
}

static bool
get_text(struct arena *a, struct str w, struct str *out)
{
	char *p = arena_alloc(a, w.n);
	size_t n = 0;

	if (w.n == 0)
		return false;
	for (size_t i = 0; i < w.n && !str_eq(w, S("-")); i++) {
		if (w.p[i] != '%') {
			p[n++] = w.p[i];
			continue;
		}
		if (i + 2 >= w.n || str_hex(w.p[i + 1]) < 0 ||
		    str_hex(w.p[i + 2]) < 0)
			return false;
		p[n++] = (char)(str_hex(w.p[i + 1]) << 4 | str_hex(w.p[i + 2]));
		i += 2;
	}
	*out = (struct str){ p, n };
	return true;
}

static bool
get_epoch(struct str w, int64_t *out)
{
	bool minus = str_starts(w, S("-"));
	uint64_t n;

	if (!str_to_u64(str_from(w, minus), INT64_MAX, &n))
		return false;
	*out = minus ? -(int64_t)n : (int64_t)n;
	return true;
}

static bool
get_entry(struct arena *a, struct str line, struct pony_entry *x)
{
	return get_epoch(word(&line), &x->epoch) &&
	    get_text(a, word(&line), &x->mid) && x->mid.n > 0 &&
	    get_text(a, word(&line), &x->message_id) &&
	    get_text(a, word(&line), &x->parent) && line.n == 0;
}

static bool
get_month(struct str line, struct pony_month *m)
{
	uint32_t at;

	*m = (struct pony_month){ .known = true };
	if (!str_eq(word(&line), S("M")) ||
	    !str_to_u32(word(&line), 10000 * 12, &at) ||
	    !str_to_u32(word(&line), LIMIT_PONY_MESSAGES, &m->told) ||
	    !str_to_u32(word(&line), LIMIT_PONY_MESSAGES, &m->n))
		return false;
	m->at = (int)at;
	return line.n == 0;
}

bool
ponymail_cache_read(struct str text, struct pony_list *l)
{
	struct str line, rest;
	struct pony_month m;

	if (!str_cut(text, '\n', &line, &rest) || !str_starts(line, S(MAGIC)) ||
	    !str_eq(str_from(line, sizeof(MAGIC) - 1), hex(l->a, rest)))
		return false;
	l->month = arena_array(l->a, LIMIT_PONY_MONTHS, sizeof(m));
	while (rest.n > 0) {
		if (!str_cut(rest, '\n', &line, &rest) ||
		    !get_month(line, &m) || l->months == LIMIT_PONY_MONTHS)
			return false;
		m.v = arena_array(l->a, m.n, sizeof(*m.v));
		for (uint32_t i = 0; i < m.n; i++)
			if (!str_cut(rest, '\n', &line, &rest) ||
			    !get_entry(l->a, line, &m.v[i]))
				return false;
		l->month[l->months++] = m;
	}
	return true;
}

static void
drop(struct pony_list *l)
{
	l->month = NULL;
	l->months = 0;
}

void
ponymail_cache_load(const struct pony *p, struct pony_list *l)
{
	CLEANUP(arena_close) struct arena *a = NULL;
	CLEANUP(path_close) int dir = -1;
	CLEANUP(path_close) int fd = -1;
	struct str text;
	struct err e = { 0 };

	if (p->conn.acct->cache_dir.n == 0)
		return;
	a = arena_open(CACHE_MAX + (1 << 20));
	dir = open(str_c(a, p->conn.acct->cache_dir),
	    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return;
	fd = openat(dir, str_c(a, file_name(p, a, l)),
	    O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || path_read(fd, CACHE_MAX, a, &text, &e) < 0)
		return;
	if (!ponymail_cache_read(text, l))
		drop(l);
}

static bool
write_all(int fd, struct str s)
{
	while (s.n > 0) {
		ssize_t n = write(fd, s.p, s.n);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		s = str_from(s, (size_t)n);
	}
	return true;
}

void
ponymail_cache_keep(const struct pony *p, const struct pony_list *l)
{
	CLEANUP(arena_close) struct arena *a = NULL;
	CLEANUP(path_close) int dir = -1;
	CLEANUP(path_close) int fd = -1;
	struct str path = p->conn.acct->cache_dir, name, temp;
	struct err e = { 0 };

	if (path.n == 0)
		return;
	a = arena_open(LIMIT_ARENA);
	if (path_mkdir(str_c(a, path), &e) < 0)
		return;
	dir = open(str_c(a, path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	name = file_name(p, a, l);
	temp = str_fmt(a, "%.*s.%d", STR_ARG(name), (int)getpid());
	if (dir < 0)
		return;
	(void)unlinkat(dir, temp.p, 0);
	fd = openat(dir, temp.p,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	if (!write_all(fd, ponymail_cache_text(a, l)) ||
	    renameat(dir, temp.p, dir, name.p) < 0)
		(void)unlinkat(dir, temp.p, 0);
}
