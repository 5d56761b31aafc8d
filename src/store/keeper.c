/* SPDX-License-Identifier: Apache-2.0 */
/* What needs the data key: done here, or asked of the process that has it. */
#include "store/keeping.h"

/*
 * The labels.  A process without the data key gets MACs of the texts that
 * agents' calls sign; those of other texts it can only compare.
 */
static const struct label {
	const char *name;
	const char *agents; /* how such a text begins; NULL: there is none */
} labels[STORE_LABELS] = {
	[STORE_LABEL_TURN] = { "emcli turn", "" },
	[STORE_LABEL_LOAD] = { "emcli load", "" },
	[STORE_LABEL_ASK] = { "emcli outbox ask", "" },
	[STORE_LABEL_CURSOR] = { "emcli threads cursor", "" },
	[STORE_LABEL_CURSOR_MASK] = { "emcli threads cursor mask", "" },
	[STORE_LABEL_GRANT] = { "emcli skill grant", "" },
	/* The operator posts into roots too: backend/agentbox/load.c. */
	[STORE_LABEL_ROOT] = { "agentbox", "emcli agentbox 3 agent\n" },
	[STORE_LABEL_WATCH] = { "emcli watch cursor", "" },
	/* No worker checks tokens of an identity provider. */
	[STORE_LABEL_ISSUER] = { "emcli issuer kept", NULL },
	/* It names a program: only the operator writes it. */
	[STORE_LABEL_NOTIFY] = { "emcli notify", NULL },
};

bool
keeper_label_is_agents(enum store_label label, struct str text)
{
	return label < STORE_LABELS && labels[label].agents != NULL &&
	    str_starts(text, str_of(labels[label].agents));
}

int
keeper_label_of(const struct secret *dek, enum store_label label,
    struct secret **out, struct err *e)
{
	if (label >= STORE_LABELS || labels[label].name == NULL)
		err_bug("store: a label that is none");
	return seal_derive(dek, str_of(labels[label].name), out, e);
}

int
keeper_label_key(struct store *s, enum store_label label, struct secret **out,
    struct err *e)
{
	return keeper_label_of(s->dek, label, out, e);
}

int
keeper_mac(struct store *s, enum store_label label, struct str text,
    unsigned char out[SEAL_HASH], struct err *e)
{
	CLEANUP(secret_close) struct secret *key = NULL;

	if (s->role == STORE_SERVED)
		return keeper_ask_mac(s, label, text, out, e);
	return keeper_label_key(s, label, &key, e) < 0
	    ? -1
	    : seal_mac(key, text, out, e);
}

int
keeper_fits(struct store *s, enum store_label label, struct str text,
    const unsigned char mac[SEAL_HASH], struct err *e)
{
	unsigned char ours[SEAL_HASH];

	if (s->role == STORE_SERVED)
		return keeper_ask_fits(s, label, text, mac, e);
	if (keeper_mac(s, label, text, ours, e) < 0)
		return -1;
	return seal_same((struct str){ (const char *)ours, SEAL_HASH },
	    (struct str){ (const char *)mac, SEAL_HASH });
}

static int
keeper_refuse(struct err *e)
{
	return err_set(e, ERR_CONFIG,
	    "this process does not have the store's data key: it opens no "
	    "credential");
}

int
keeper_seal(struct store *s, struct str where, const struct secret *plain,
    struct arena *a, struct str *sealed, struct err *e)
{
	if (s->role == STORE_SERVED)
		return keeper_refuse(e);
	return seal_make(s->dek, where, plain, a, sealed, e);
}

int
keeper_unseal(struct store *s, struct str where, struct str sealed,
    struct secret **out, struct err *e)
{
	if (s->role == STORE_SERVED)
		return keeper_refuse(e);
	return seal_open(s->dek, where, sealed, out, e);
}
