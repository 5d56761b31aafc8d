/* SPDX-License-Identifier: Apache-2.0 */
/* Loads libpq when a store is in PostgreSQL. */
#include "store/postgres_library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

struct postgres_library postgres_library;

#define ROW(name)                                                              \
	{                                                                      \
		"PQ" #name, offsetof(struct postgres_library, name)            \
	}

static const struct {
	const char *name;
	size_t at;
} names[] = {
	ROW(connectStartParams),
	ROW(connectPoll),
	ROW(status),
	ROW(socket),
	ROW(finish),
	ROW(errorMessage),
	ROW(serverVersion),
	ROW(parameterStatus),
	ROW(transactionStatus),
	ROW(sslInUse),
	ROW(sslAttribute),
	ROW(host),
	ROW(port),
	ROW(db),
	ROW(user),
	ROW(conninfo),
	ROW(conninfoParse),
	ROW(conninfoFree),
	ROW(freemem),
	ROW(libVersion),
	ROW(setNoticeReceiver),
	ROW(setnonblocking),
	ROW(sendQuery),
	ROW(sendQueryParams),
	ROW(sendPrepare),
	ROW(sendQueryPrepared),
	ROW(setSingleRowMode),
	ROW(consumeInput),
	ROW(isBusy),
	ROW(flush),
	ROW(getResult),
	ROW(resultStatus),
	ROW(resultErrorField),
	ROW(clear),
	ROW(ntuples),
	ROW(nfields),
	ROW(fname),
	ROW(ftype),
	ROW(getvalue),
	ROW(getlength),
	ROW(getisnull),
	ROW(cmdTuples),
	ROW(enterPipelineMode),
	ROW(pipelineSync),
	ROW(exitPipelineMode),
};

int
postgres_library_load(struct err *e)
{
	struct postgres_library l = { 0 };
	void *lib, *p;

	if (postgres_library.status != NULL)
		return 0;
	lib = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		p = lib != NULL ? dlsym(lib, names[i].name) : NULL;
		if (p == NULL) {
			(void)err_set(e, ERR_CONFIG,
			    "libpq 14 or newer is missing: install libpq5");
			return err_because(e, "%s", dlerror());
		}
		/* ISO C has no cast from object to function (dlsym(3)). */
		memcpy((char *)&l + names[i].at, &p, sizeof(p));
	}
	postgres_library = l;
	return 0;
}
