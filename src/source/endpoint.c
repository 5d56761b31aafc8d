/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The only question of the operator's commands about the web: may requests go
 * there?
 */
#include "source/endpoint.h"

#include "net/http.h"

int
endpoint_ok(struct str url, bool *ok, struct err *e)
{
	*ok = false;
	if (http_need(e) < 0)
		return -1;
	*ok = http_url_ok(url);
	return 0;
}
