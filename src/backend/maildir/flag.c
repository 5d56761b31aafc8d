/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flags in the names of files: "ID:2,FS", a letter for each, in order of their
 * codes.  Letters of other programs and what is after a comma stay.  A file in
 * new/ has no flag, whatever its name says: no program has taken it yet.
 */
#include <limits.h>

#include "backend/maildir/internal.h"

static const struct {
	unsigned flag;
	unsigned char letter;
} letters[] = {
	{ FLAG_READ, 'S' },
	{ FLAG_ANSWERED, 'R' },
	{ FLAG_FLAGGED, 'F' },
};

#define LETTERS (sizeof(letters) / sizeof(letters[0]))

struct str
maildir_flag_info(const struct maildir_file *f)
{
	return str_from(f->name, f->id.n);
}

/* Letters, and what is after them; false: the name has information of another
 * kind. */
static bool
maildir_flag_split(const struct maildir_file *f, struct str *said,
    struct str *rest)
{
	struct str info = maildir_flag_info(f);
	size_t n = 0;

	*said = *rest = S("");
	if (info.n <= 1)
		return true;
	if (!str_starts(info, S(":2,")))
		return false;
	info = str_from(info, 3);
	while (n < info.n && info.p[n] != ',')
		n++;
	*said = str_first(info, n);
	*rest = str_from(info, n);
	return true;
}

unsigned
maildir_flag_read(const struct maildir_file *f, bool *draft)
{
	struct str said, rest;
	unsigned flags = 0;

	*draft = false;
	if (f->in_new || !maildir_flag_split(f, &said, &rest))
		return 0;
	*draft = str_has_char(said, 'D');
	for (size_t i = 0; i < LETTERS; i++)
		if (str_has_char(said, (char)letters[i].letter))
			flags |= letters[i].flag;
	return flags;
}

/* Which letters the name gets. */
static void
maildir_flag_choose(struct str said, unsigned flags, bool has[UCHAR_MAX + 1])
{
	for (size_t i = 0; i < said.n; i++)
		has[(unsigned char)said.p[i]] = true;
	for (size_t i = 0; i < LETTERS; i++)
		has[letters[i].letter] = (flags & letters[i].flag) != 0;
}

int
maildir_flag_name(const struct maildir_file *f, unsigned set, unsigned clear,
    char out[NAME_MAX + 1], struct err *e)
{
	bool has[UCHAR_MAX + 1] = { false }, draft;
	unsigned was = maildir_flag_read(f, &draft);
	unsigned flags = (was | set) & ~clear;
	struct str said, rest;
	size_t n = f->id.n;

	if (flags == was)
		return 0;
	if (!maildir_flag_split(f, &said, &rest))
		return err_set(e, ERR_UNSUPPORTED,
		    "the name of a message's file has no place for flags");
	maildir_flag_choose(said, flags, has);
	if (f->id.n + said.n + rest.n + 3 + LETTERS > NAME_MAX)
		return err_set(e, ERR_UNSUPPORTED,
		    "the name of a message's file is too long for more flags");
	memcpy(out, f->id.p, n);
	memcpy(out + n, ":2,", 3);
	n += 3;
	for (size_t i = 0; i <= UCHAR_MAX; i++)
		if (has[i])
			out[n++] = (char)i;
	memcpy(out + n, rest.p, rest.n);
	out[n + rest.n] = '\0';
	return 1;
}
