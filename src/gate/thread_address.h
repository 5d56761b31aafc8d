/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_THREAD_ADDRESS_H
#define GATE_THREAD_ADDRESS_H

/*
 * Addresses of threads that callers kept: from thread_url, or from an archive's
 * pages.  They are parsed here and never fetched: an address from an agent is
 * only compared with the forms that an account's own settings make.
 */
#include "store/store.h"

enum thread_address_kind {
	THREAD_ADDRESS_FOREIGN, /* zero: not of this account */
	THREAD_ADDRESS_ONE_WAY, /* its own, but it does not lead back to a
				   thread */
	THREAD_ADDRESS_ID,
	THREAD_ADDRESS_MESSAGE, /* of one message, by folder and uid */
};

struct thread_address {
	enum thread_address_kind kind;
	struct str
	    id;   /* in the form for thread_name_read(), or a source's own */
	bool own; /* in the form of the source's own ids */
	struct str folder;
	uint32_t uid;
};

/* Is it an address at all?  No other name of a thread begins like one. */
bool thread_address_is(struct str text);
/* Its meaning for that account.  Pure. */
void thread_address_read(struct arena *a, const struct store_account *acct,
    struct str url, struct thread_address *out);

#endif
