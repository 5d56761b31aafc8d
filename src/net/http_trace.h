/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NET_HTTP_TRACE_H
#define NET_HTTP_TRACE_H

/* The lines of http.c in a trace; origin is "https://host:port". */
#include "net/http.h"

void http_trace_ask(const char *origin, struct str url,
    const struct http_request *q);
void http_trace_answer(const char *origin, const struct http_reply *r,
    size_t size);
void http_trace_failed(const char *origin, const struct err *e);

#endif
