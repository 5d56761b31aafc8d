/* SPDX-License-Identifier: Apache-2.0 */
/* An account on its way to a wire: its settings, one after the other. */
#include <stddef.h>
#include <string.h>

#include "door/serve/keeper.h"

enum {
	STARTTLS_IMAP = 1 << 0,
	STARTTLS_SMTP = 1 << 1,
	OAUTH = 1 << 2,
	NO_SASL_IR = 1 << 3,
	TRACE = 1 << 4,
	PASSWORD = 1 << 5,
	FILES = 1 << 6,
	ALL = (1 << 7) - 1
};

/* Everything but the texts. */
struct account_head {
	uint16_t imap_port, smtp_port;
	uint8_t flags, id;
};

/* The texts, each after its length in four bytes. */
static const size_t texts[] = {
	offsetof(struct serve_account, backend),
	offsetof(struct serve_account, view.name),
	offsetof(struct serve_account, view.from),
	offsetof(struct serve_account, view.username),
	offsetof(struct serve_account, view.imap_host),
	offsetof(struct serve_account, view.smtp_host),
	offsetof(struct serve_account, view.ca_file),
	offsetof(struct serve_account, view.tls_pin),
	offsetof(struct serve_account, view.path),
	offsetof(struct serve_account, view.url),
	offsetof(struct serve_account, view.list),
	offsetof(struct serve_account, view.drafts_folder),
	offsetof(struct serve_account, view.cache_dir),
};

enum {
	TEXTS = sizeof(texts) / sizeof(texts[0])
};

static struct str *
serve_account_text(const struct serve_account *x, size_t i)
{
	return (struct str *)((uintptr_t)x + texts[i]);
}

static struct account_head
serve_account_head(const struct serve_account *x)
{
	const struct backend_account *v = &x->view;

	return (struct account_head){
		.imap_port = v->imap_port,
		.smtp_port = v->smtp_port,
		.id = (uint8_t)v->id,
		.flags = (uint8_t)((v->imap_starttls ? STARTTLS_IMAP : 0) |
		    (v->smtp_starttls ? STARTTLS_SMTP : 0) |
		    (v->oauth ? OAUTH : 0) | (v->no_sasl_ir ? NO_SASL_IR : 0) |
		    (v->trace ? TRACE : 0) | (x->has_password ? PASSWORD : 0) |
		    (x->files ? FILES : 0)),
	};
}

struct str
serve_account_put(struct arena *a, const struct serve_account *x)
{
	const struct account_head h = serve_account_head(x);
	size_t n = sizeof(h);
	char *out, *at;

	for (size_t i = 0; i < TEXTS; i++) {
		if (serve_account_text(x, i)->n > LIMIT_WIRE_ACCOUNT)
			return S("");
		n += sizeof(uint32_t) + serve_account_text(x, i)->n;
	}
	if (n > LIMIT_WIRE_ACCOUNT)
		return S("");
	out = at = arena_alloc(a, n);
	memcpy(at, &h, sizeof(h));
	at += sizeof(h);
	for (size_t i = 0; i < TEXTS; i++) {
		const struct str *t = serve_account_text(x, i);
		uint32_t size = (uint32_t)t->n;

		memcpy(at, &size, sizeof(size));
		if (size > 0)
			memcpy(at + sizeof(size), t->p, size);
		at += sizeof(size) + size;
	}
	return (struct str){ out, n };
}

bool
serve_account_take(struct str bytes, struct serve_account *out)
{
	struct account_head h = { 0 };

	*out = (struct serve_account){ 0 };
	if (bytes.n < sizeof(h) || bytes.n > LIMIT_WIRE_ACCOUNT)
		return false;
	memcpy(&h, bytes.p, sizeof(h));
	bytes = str_from(bytes, sizeof(h));
	if (h.flags > ALL || h.id > BACKEND_ID_OFF)
		return false;
	for (size_t i = 0; i < TEXTS; i++) {
		uint32_t size = 0;

		if (bytes.n < sizeof(size))
			return false;
		memcpy(&size, bytes.p, sizeof(size));
		bytes = str_from(bytes, sizeof(size));
		if (bytes.n < size)
			return false;
		*serve_account_text(out, i) = str_first(bytes, size);
		bytes = str_from(bytes, size);
	}
	out->view.imap_port = h.imap_port;
	out->view.smtp_port = h.smtp_port;
	out->view.id = (enum backend_id)h.id;
	out->view.imap_starttls = h.flags & STARTTLS_IMAP;
	out->view.smtp_starttls = h.flags & STARTTLS_SMTP;
	out->view.oauth = h.flags & OAUTH;
	out->view.no_sasl_ir = h.flags & NO_SASL_IR;
	out->view.trace = h.flags & TRACE;
	out->has_password = h.flags & PASSWORD;
	out->files = h.flags & FILES;
	return bytes.n == 0;
}
