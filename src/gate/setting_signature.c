/* SPDX-License-Identifier: Apache-2.0 */
/* A signature: the text of a file, kept in the account. */
#include "gate/setting.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/clean.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/utf8.h"

static int
setting_signature_read(struct arena *a, struct str path, struct str *out,
    struct err *e)
{
	CLEANUP(path_close)
	int fd =
	    open(str_c(a, path), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0) {
		(void)err_set(e, ERR_USAGE, "--signature-file cannot be read");
		return err_errno(e, "open");
	}
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_USAGE, "--signature-file is not a file");
	if (st.st_size > LIMIT_SIGNATURE)
		return err_set(e, ERR_LIMIT,
		    "--signature-file has more than %d bytes", LIMIT_SIGNATURE);
	return path_read(fd, LIMIT_SIGNATURE, a, out, e);
}

/* Line ends of other systems, and the line above it that emcli writes. */
static struct str
setting_signature_normal(struct arena *a, struct str text)
{
	struct str rest = text, line;
	struct buf b;
	bool more = true;

	buf_init(&b, a, text.n + 2);
	while (more) {
		more = str_cut(rest, '\n', &line, &rest);
		line = str_trim_end(line, S(" \t\r"));
		if (b.n == 0 && (line.n == 0 || str_eq(line, S("--"))))
			continue;
		buf_str(&b, line);
		buf_char(&b, '\n');
	}
	return str_trim_end(buf_view(&b), S("\n"));
}

/* A text that may be kept. */
static int
setting_signature_check(struct arena *a, struct str text, struct str *out,
    struct err *e)
{
	size_t unseen = 0;

	*out = setting_signature_normal(a, text);
	if (out->n == 0)
		return err_set(e, ERR_USAGE,
		    "--signature-file has no text: --signature-file \"\" "
		    "removes the signature");
	if (!utf8_valid(*out))
		return err_set(e, ERR_USAGE, "--signature-file is not UTF-8");
	(void)clean_text(a, *out, &unseen);
	if (unseen > 0 || str_has_char(*out, '\r'))
		return err_set(e, ERR_USAGE,
		    "--signature-file contains control characters or "
		    "invisible ones: remove them");
	return 0;
}

int
setting_signature_take(struct arena *a, const struct setting *s,
    struct str text, struct store_account *v, struct err *e)
{
	struct str is = S("");

	if (text.n > LIMIT_SIGNATURE)
		return err_set(e, ERR_LIMIT,
		    "--signature-file has more than %d bytes", LIMIT_SIGNATURE);
	if (text.n > 0 && setting_signature_check(a, text, &is, e) < 0)
		return -1;
	account_value_put(s, is, v);
	return 0;
}

int
setting_signature_put(struct arena *a, const struct setting *s, struct str path,
    struct store_account *v, struct err *e)
{
	struct str text = S("");

	if (path.n > 0 &&
	    (setting_signature_read(a, path, &text, e) < 0 ||
		setting_signature_check(a, text, &text, e) < 0))
		return -1;
	account_value_put(s, text, v);
	return 0;
}
