/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_KEEPING_H
#define STORE_KEEPING_H

/* What needs the data key, for the room's files: here, or at the keeper. */
#include "store/internal.h"
#include "store/seal.h"

/* -- keeper.c -------------------------------------------------------------- */

/* HMAC-SHA-256 of a text under the label's key. */
int keeper_mac(struct store *s, enum store_label label, struct str text,
    unsigned char out[SEAL_HASH], struct err *e);
/* Does the text have that MAC?  1, 0, -1. */
int keeper_fits(struct store *s, enum store_label label, struct str text,
    const unsigned char mac[SEAL_HASH], struct err *e);
/*
 * Seals a value for its place in the store, and unseals it.  ERR_CONFIG: it
 * does not open; or this process has no data key.
 */
int keeper_seal(struct store *s, struct str where, const struct secret *plain,
    struct arena *a, struct str *sealed, struct err *e);
int keeper_unseal(struct store *s, struct str where, struct str sealed,
    struct secret **out, struct err *e);
/* The label's key.  Only where the data key is. */
int keeper_label_key(struct store *s, enum store_label label,
    struct secret **out, struct err *e);
/* The same of any data key. */
int keeper_label_of(const struct secret *dek, enum store_label label,
    struct secret **out, struct err *e);
/* Do agents' calls make MACs of such a text under it? */
bool keeper_label_is_agents(enum store_label label, struct str text);

/* -- keeper_ask.c: the messages of a worker ---------------------------------
 */

/*
 * A request is one of these and what it is about; numbers are big-endian.
 */
enum {
	KEEPER_HELLO = 'H', /* -> 8 bytes: how often the data key had changed */
	KEEPER_MORE = 'A',  /* label, part of a text -> nothing */
	KEEPER_MAC = 'M',   /* label, the text, or its last part -> the MAC */
	KEEPER_FITS = 'C',  /* label, MAC, text -> a byte, 1 or 0 */
	KEEPER_OWN = 'O',   /* 8 bytes of account id, text -> a byte, 1 or 0 */
	KEEPER_OPENS = 'S', /* 8 bytes of account id, a byte: which of its
			       credentials -> a byte, 1 or 0 */
	KEEPER_NOTICE = 'N', /* something waits for the operator -> nothing */
	KEEPER_WAY = 'W', /* -> the setting notify, whose mark fits; or empty */
};

/* An answer: one of these; after the second a kind of error, and its text. */
enum {
	KEEPER_YES = 'Y',
	KEEPER_NO = 'N',
};

/* The longest text in a request of any type. */
#define KEEPER_TEXT (LIMIT_KEEPER_ASK - 64)

int keeper_ask_hello(struct store *s, int64_t *dek_count, struct err *e);
int keeper_ask_mac(struct store *s, enum store_label label, struct str text,
    unsigned char out[SEAL_HASH], struct err *e);
int keeper_ask_fits(struct store *s, enum store_label label, struct str text,
    const unsigned char mac[SEAL_HASH], struct err *e);
/* Of at most KEEPER_TEXT bytes.  1, 0, -1. */
int keeper_ask_own(struct store *s, int64_t account, struct str text,
    struct err *e);
/* 1, 0, -1: ERR_NOT_FOUND too. */
int keeper_ask_opens(struct store *s, int64_t account, enum store_sealed what,
    struct err *e);

#endif
