#ifndef GATE_THREAD_ADDRESS_H
#define GATE_THREAD_ADDRESS_H

/*
 * Addresses of threads as callers kept them: what thread_url told, and what an
 * archive shows.  Read here and never asked for: an address that an agent names
 * is only held against the forms that an account's own settings make.
 */
#include "store/store.h"

enum thread_address_kind {
	THREAD_ADDRESS_FOREIGN, /* zero: none of this account's */
	THREAD_ADDRESS_ONE_WAY, /* its own, and there is no way back from it */
	THREAD_ADDRESS_ID,
	THREAD_ADDRESS_MESSAGE, /* of one message, by folder and uid */
};

struct thread_address {
	enum thread_address_kind kind;
	struct str id; /* as thread_name_read() takes it, or a source's own */
	bool own;      /* of the kind of the source's own ids */
	struct str folder;
	uint32_t uid;
};

/* Is it an address at all?  No other name of a thread begins like one. */
bool thread_address_is(struct str text);
/* What it says to that account.  Pure. */
void thread_address_read(struct arena *a, const struct store_account *acct,
    struct str url, struct thread_address *out);

#endif
