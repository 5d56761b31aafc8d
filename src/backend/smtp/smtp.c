/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The backend that only submits.  A connection serves one message: submit()
 * opens and closes it.
 */
#include "backend/internal.h"
#include "backend/smtp/internal.h"

static struct smtp *
smtp_make(const struct backend_account *acct, struct arena *a)
{
	struct smtp *s = arena_new(a, struct smtp);

	s->conn = (struct conn){ &smtp_backend, acct };
	return s;
}

static int
smtp_open(const struct backend_account *acct, struct arena *a,
    struct conn **out, struct err *e)
{
	if (acct->smtp_host.n == 0)
		return err_set(e, ERR_CONFIG, "the account has no SMTP server");
	*out = &smtp_make(acct, a)->conn;
	return 0;
}

static void
smtp_close(struct conn *c)
{
	struct smtp *s = (struct smtp *)c;

	if (s != NULL)
		wire_close(&s->w);
}

static int
smtp_slot_probe(const struct backend_account *acct, struct arena *a,
    struct probes *out, struct err *e)
{
	struct conn *c = NULL;

	if (smtp_open(acct, a, &c, e) < 0)
		return -1;
	smtp_probe((struct smtp *)c, a, out);
	return 0;
}

const struct backend smtp_backend = {
	.name = "smtp",
	.caps = CAP_SUBMIT,
	.open = smtp_open,
	.close = smtp_close,
	.submit = smtp_submit,
	.probe = smtp_slot_probe,
};
