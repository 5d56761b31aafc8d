/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_ISSUER_H
#define STORE_ISSUER_H

/*
 * The operator's identity provider: whose access tokens agents may call with
 * over HTTP, and what such a token must be.
 */
#include "store/store.h"

struct store_issuer {
	struct str issuer;   /* as it spells itself */
	struct str resource; /* the public address of our server */
	struct str audience; /* empty: the resource */
	struct str scope;    /* empty: none is needed */
	struct str ca_file;  /* empty: the system's authorities */
	struct str client;   /* that asks it; empty: its tokens are signed */
	bool any_type;   /* a signed one need not say that it is an access token
			  */
	bool has_secret; /* of the client */
};

/* Replaces what was set.  secret: the client's, or NULL.  For the operator. */
int store_issuer_set(struct store *s, const struct store_issuer *x,
    const struct secret *secret, struct err *e);
/* For the operator.  ERR_NOT_FOUND: none is set. */
int store_issuer_remove(struct store *s, struct err *e);
/* 1; 0: none is set; -1. */
int store_issuer_get(struct store *s, struct arena *a, struct store_issuer *out,
    struct err *e);
/* The client's secret.  ERR_NOT_FOUND, ERR_CONFIG: it does not unseal. */
int store_issuer_secret(struct store *s, struct secret **out, struct err *e);

/* What it said last.  store/issuer_kept.c */
struct store_issuer_kept {
	struct str of;            /* issuer and setting that it is of */
	struct str says;          /* empty: nothing yet */
	int64_t got_ms, tried_ms; /* unix milliseconds; 0: never */
};

/* 1; 0: nothing, or nothing that this store has put there; -1. */
int store_issuer_kept_get(struct store *s, struct arena *a,
    struct store_issuer_kept *out, struct err *e);
int store_issuer_kept_put(struct store *s, const struct store_issuer_kept *x,
    struct err *e);

#endif
