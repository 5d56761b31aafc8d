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
struct postgres_library {
	__typeof__(PQconnectStartParams) *connectStartParams;
	__typeof__(PQconnectPoll) *connectPoll;
	__typeof__(PQstatus) *status;
	__typeof__(PQsocket) *socket;
	__typeof__(PQfinish) *finish;
	__typeof__(PQerrorMessage) *errorMessage;
	__typeof__(PQserverVersion) *serverVersion;
	__typeof__(PQparameterStatus) *parameterStatus;
	__typeof__(PQtransactionStatus) *transactionStatus;
	__typeof__(PQsslInUse) *sslInUse;
	__typeof__(PQsslAttribute) *sslAttribute;
	__typeof__(PQhost) *host;
	__typeof__(PQport) *port;
	__typeof__(PQdb) *db;
	__typeof__(PQuser) *user;
	__typeof__(PQconninfo) *conninfo;
	__typeof__(PQconninfoParse) *conninfoParse;
	__typeof__(PQconninfoFree) *conninfoFree;
	__typeof__(PQfreemem) *freemem;
	__typeof__(PQlibVersion) *libVersion;
	__typeof__(PQsetNoticeReceiver) *setNoticeReceiver;
	__typeof__(PQsetnonblocking) *setnonblocking;
	__typeof__(PQsendQuery) *sendQuery;
	__typeof__(PQsendQueryParams) *sendQueryParams;
	__typeof__(PQsendPrepare) *sendPrepare;
	__typeof__(PQsendQueryPrepared) *sendQueryPrepared;
	__typeof__(PQsetSingleRowMode) *setSingleRowMode;
	__typeof__(PQconsumeInput) *consumeInput;
	__typeof__(PQisBusy) *isBusy;
	__typeof__(PQflush) *flush;
	__typeof__(PQgetResult) *getResult;
	__typeof__(PQresultStatus) *resultStatus;
	__typeof__(PQresultErrorField) *resultErrorField;
	__typeof__(PQclear) *clear;
	__typeof__(PQntuples) *ntuples;
	__typeof__(PQnfields) *nfields;
	__typeof__(PQfname) *fname;
	__typeof__(PQftype) *ftype;
	__typeof__(PQgetvalue) *getvalue;
	__typeof__(PQgetlength) *getlength;
	__typeof__(PQgetisnull) *getisnull;
	__typeof__(PQcmdTuples) *cmdTuples;
	__typeof__(PQenterPipelineMode) *enterPipelineMode;
	__typeof__(PQpipelineSync) *pipelineSync;
	__typeof__(PQexitPipelineMode) *exitPipelineMode;
};

extern struct postgres_library postgres_library;
#define PQ postgres_library

/*
 * Fills it; repeated calls do nothing.  ERR_CONFIG if libpq is not installed,
 * and always in the static program, which has none.
 */
int postgres_library_load(struct err *e);

#endif
