/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_POSTGRES_LIBRARY_H
#define STORE_POSTGRES_LIBRARY_H

/*
 * libpq, which the shared program loads when a store is in PostgreSQL.  If it
 * were linked, it and its libraries would cost every start.  Only for
 * store/postgres*.c.
 */
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

#include "base/err.h"

/* Its functions, under their own names without "PQ". */
#define POSTGRES_FUNCTIONS(F)                                                  \
	F(connectStartParams)                                                  \
	F(connectPoll)                                                         \
	F(status)                                                              \
	F(socket)                                                              \
	F(finish)                                                              \
	F(errorMessage)                                                        \
	F(serverVersion)                                                       \
	F(parameterStatus)                                                     \
	F(transactionStatus)                                                   \
	F(sslInUse)                                                            \
	F(sslAttribute)                                                        \
	F(host)                                                                \
	F(port)                                                                \
	F(db)                                                                  \
	F(user)                                                                \
	F(conninfoParse)                                                       \
	F(conninfoFree)                                                        \
	F(freemem)                                                             \
	F(libVersion)                                                          \
	F(setNoticeReceiver)                                                   \
	F(setnonblocking)                                                      \
	F(sendQuery)                                                           \
	F(sendQueryParams)                                                     \
	F(sendPrepare)                                                         \
	F(sendQueryPrepared)                                                   \
	F(setSingleRowMode)                                                    \
	F(consumeInput)                                                        \
	F(isBusy)                                                              \
	F(flush)                                                               \
	F(getResult)                                                           \
	F(resultStatus)                                                        \
	F(resultErrorField)                                                    \
	F(clear)                                                               \
	F(ntuples)                                                             \
	F(nfields)                                                             \
	F(fname)                                                               \
	F(ftype)                                                               \
	F(getvalue)                                                            \
	F(getlength)                                                           \
	F(getisnull)                                                           \
	F(cmdTuples)

#define POSTGRES_MEMBER(name) __typeof__(PQ##name) *name;
struct postgres_library {
	POSTGRES_FUNCTIONS(POSTGRES_MEMBER)
};

extern struct postgres_library postgres_library;
#define PQ postgres_library

/*
 * Fills it; repeated calls do nothing.  ERR_CONFIG if libpq is not installed,
 * and always in the static program, which has none.
 */
int postgres_library_load(struct err *e);

#endif
