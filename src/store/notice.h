/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_NOTICE_H
#define STORE_NOTICE_H

/*
 * What the operator is to be told of, and how: the setting notify.  A row for
 * each thing that waits is written where the thing happens, and only if that
 * setting is there.  Whoever takes a notice gives it, and nobody else: at most
 * one of a kind in an hour, of all that waits by then.
 *
 * An edit of the setting by anybody without a key of the store is noticed: it
 * has a mark that no process without the data key can make.
 */
#include "store/store.h"

enum store_notice_kind {
	STORE_NOTICE_HELD,    /* sends and changes that wait for the operator */
	STORE_NOTICE_TOKEN,   /* only a new consent helps */
	STORE_NOTICE_ACCOUNT, /* it has failed for an hour */
	STORE_NOTICE_AUDIT,   /* the log or the signed rows do not verify */
	STORE_NOTICES         /* how many there are */
};

/* What of an account fails. */
enum store_notice_part {
	STORE_NOTICE_READS,
	STORE_NOTICE_SENDS,
};

/* One thing that waits. */
struct store_notice_row {
	enum store_notice_kind kind;
	int64_t account; /* 0: none */
	int64_t item;    /* the outbox's row; of an account or token, a part */
	int64_t since_s;
};

/* "held". */
const char *store_notice_word(enum store_notice_kind kind);
/*
 * Notes that it waits, unless that is known; in the transaction of the caller,
 * if there is one.  An account is told if it fails again an hour after it began
 * to.  1: it is new, or to be told now; 0; -1.
 */
int store_notice_add(struct store *s, const struct store_notice_row *row,
    struct err *e);
/* That part of the account works. */
int store_notice_works(struct store *s, int64_t account,
    enum store_notice_part part, struct err *e);
/* What was checked is as emcli wrote it. */
int store_notice_whole(struct store *s, struct err *e);

struct store_notice_look {
	bool due;   /* a notice is to be given now */
	bool fails; /* the account, or its token, is among what waits */
};

/* One look at both; account 0: none. */
int store_notice_look(struct store *s, int64_t account, int64_t now_s,
    struct store_notice_look *out, struct err *e);
/* When the next is to be given: 1; 0: nothing waits. */
int store_notice_next(struct store *s, int64_t now_s, int64_t *at_s,
    struct err *e);
/* Does anything of what it needs to send fail? */
int store_notice_fails(struct store *s, int64_t account, struct err *e);

/* The last notice of a kind. */
struct store_notice_last {
	int64_t at_s;      /* 0: there was none */
	struct str failed; /* empty: it was given */
};

int store_notice_last(struct store *s, struct arena *a,
    struct store_notice_last out[STORE_NOTICES], struct err *e);

/* -- giving them: store/notice_take.c ---------------------------------------
 */

/* A notice that one process gives. */
struct store_notice {
	enum store_notice_kind kind;
	uint64_t count;
	/* The first of their names, each cut to LIMIT_NOTICE_NAME. */
	struct strs accounts;
	int64_t *ids; /* the first of the outbox's rows, and how many */
	size_t n;
	int64_t since_s;    /* the oldest of it */
	int64_t at_s, upto; /* which rows it tells of */
};

/* 1: this process, and no other, gives it; 0: none is due; -1. */
int store_notice_take(struct store *s, struct arena *a, int64_t now_s,
    struct store_notice *out, struct err *e);
/* It was given; or why not, for the operator: then the next one tells it. */
int store_notice_take_done(struct store *s, const struct store_notice *n,
    struct str failed, struct err *e);

/* -- the setting: store/notice_way.c ----------------------------------------
 */

#define STORE_NOTICE_WAY "notify"
#define STORE_NOTICE_OFF "off"

/* The way to the operator: 1; 0: there is none; ERR_CONFIG: its mark is wrong,
 * so somebody else wrote it. */
int store_notice_way(struct store *s, struct arena *a, struct str *out,
    struct err *e);

#endif
