/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/post.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/agentbox/deliver.h"
#include "backend/agentbox/register.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "gate/internal.h"
#include "store/mark.h"

#define OPERATOR_NAME "Houmao Operator"
#define OPERATOR_ROLE "system_operator"

/* -- files ----------------------------------------------------------------- */

static int
post_read_file(struct arena *a, struct str path, struct str label,
    struct agentbox_file *out, struct err *e)
{
	CLEANUP(path_close)
	int fd = open(str_c(a, path), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0) {
		(void)err_set(e, ERR_USAGE, "an attachment cannot be read");
		return err_errno(e, "open");
	}
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_USAGE, "an attachment is not a file");
	out->name = label;
	for (size_t i = path.n; label.n == 0 && i-- > 0;)
		if (path.p[i] == '/' || i == 0) {
			out->name = str_from(path, i + (path.p[i] == '/'));
			break;
		}
	return path_read(fd, LIMIT_AGENTBOX_FILE, a, &out->bytes, e);
}

static int
post_read_files(struct arena *a, const struct post *p, struct agentbox_file **v,
    struct err *e)
{
	size_t n = p->attach->n;

	if (n > LIMIT_AGENTBOX_FILES)
		return err_set(e, ERR_LIMIT, "at most %d attachments a message",
		    LIMIT_AGENTBOX_FILES);
	if (p->labels->n > 0 && p->labels->n != n)
		return err_set(e, ERR_USAGE,
		    "attachment_labels has one label for each attachment");
	*v = arena_array(a, n, sizeof(**v));
	for (size_t i = 0; i < n; i++)
		if (post_read_file(a, p->attach->v[i],
			p->labels->n > 0 ? p->labels->v[i] : S(""), &(*v)[i],
			e) < 0)
			return -1;
	return 0;
}

/* -- the message ----------------------------------------------------------- */

/* Roots of the first versions of upstream have no mailbox of the operator's. */
static int
post_register(struct agentbox_root *r, struct arena *a, struct err *e)
{
	const struct agentbox_claim claim = {
		.address = S(AGENTBOX_OPERATOR),
		.owner = S(AGENTBOX_OPERATOR_PRINCIPAL),
		.display_name = S(OPERATOR_NAME),
		.role = S(OPERATOR_ROLE),
	};
	struct agentbox_claimed done;
	struct agentbox_reg reg;
	int found = agentbox_register_find(r, claim.address, a, &reg, e);

	return found != 0 ? found : agentbox_register(r, &claim, a, &done, e);
}

static int
post_send(struct agentbox_root *r, const struct post *p,
    const struct agentbox_file *files, struct arena *a,
    struct agentbox_sent *out, struct err *e)
{
	const struct agentbox_header header[] = {
		{ S("x-houmao-origin"), S("operator") },
		{ S("x-houmao-reply-policy"), p->policy },
	};
	const struct agentbox_send s = {
		.principal = S(AGENTBOX_OPERATOR_PRINCIPAL),
		.address = S(AGENTBOX_OPERATOR),
		.display_name = S(OPERATOR_NAME),
		.role = S(OPERATOR_ROLE),
		.to = { (struct str *)&p->address, 1 },
		.subject = p->subject,
		.body = p->body,
		.header = header,
		.headers = sizeof(header) / sizeof(header[0]),
		.file = files,
		.files = p->attach->n,
		.key = p->key,
	};

	return post_register(r, a, e) < 0 ? -1
					  : agentbox_deliver(r, &s, a, out, e);
}

/* As it lies there now; an earlier call with the key may have written it. */
static int
post_read_back(struct agentbox_root *r, struct str id,
    const struct agentbox_file *files, size_t n, struct arena *a,
    struct mail *out, struct str *raw, struct err *e)
{
	struct str *bytes = arena_array(a, n, sizeof(*bytes));
	struct agentbox_loaded l;

	for (size_t i = 0; i < n; i++)
		bytes[i] = files[i].bytes;
	if (agentbox_load(r, id, a, &l, e) != 1 ||
	    agentbox_front_mail(a, &l.message,
		l.message.attachments == n ? bytes : NULL, raw, e) < 0) {
		(void)err_set(e, ERR_UNKNOWN_OUTCOME,
		    "the message was delivered, but it could not be read back; "
		    "do not post it again");
		return -1;
	}
	*out = (struct mail){ .id = l.message.id, .thread = l.message.thread };
	(void)clock_parse(l.message.created, &out->received_s);
	mime_envelope_parse(a, *raw, &out->env);
	out->auth = l.authentic ? SENDER_PASS : SENDER_UNCHECKED;
	return 0;
}

int
post_deliver(struct call *c, const struct post *p, struct mail *out,
    struct str *raw, struct err *e)
{
	CLEANUP(agentbox_root_close) struct agentbox_root *r = NULL;
	int64_t late = clock_mono_ms() + LIMIT_SESSION_ROOT_MS;
	struct agentbox_file *files = NULL;
	struct agentbox_sent sent;
	struct agentbox_use use;
	struct source src;

	if (source_resolve(c->gate->store, c->arena, p->account, late, &src,
		e) < 0)
		return -1;
	if (!str_eq(src.acct.backend, S("agentbox")))
		return err_set(e, ERR_UNSUPPORTED,
		    "the operator can post only into mailbox roots on the "
		    "filesystem");
	/* The account's own key is for its agent's messages alone. */
	use = (struct agentbox_use){ late, store_mark_root,
		store_mark_root_fits, c->gate->store };
	if (post_read_files(c->arena, p, &files, e) < 0 ||
	    agentbox_root_open(str_c(c->arena, src.acct.path), &use, &r, e) <
		0 ||
	    post_send(r, p, files, c->arena, &sent, e) < 0)
		return -1;
	return post_read_back(r, sent.id, files, p->attach->n, c->arena, out,
	    raw, e);
}
