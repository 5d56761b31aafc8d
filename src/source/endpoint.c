/* What the operator's commands may know of the web: whether it can be asked. */
#include "source/endpoint.h"

#include "net/http.h"

bool
endpoint_ok(struct str url)
{
	return http_url_ok(url);
}
