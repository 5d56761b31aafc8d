/* SPDX-License-Identifier: Apache-2.0 */
/* The target of a stream, from the account. */
#include "base/base64.h"
#include "net/internal.h"

/* Each becomes one word with a comma after it. */
static int
wire_target_set_pins(struct wire *w, struct str pins, struct err *e)
{
	unsigned char raw[3 * 48 / 4 + 3];
	struct str pin;
	size_t n = 0;

	while (pins.n > 0) {
		(void)str_cut(pins, ',', &pin, &pins);
		if (n == WIRE_PINS || pin.n != 44 ||
		    base64_decode(raw, pin) != 32)
			return err_set(e, ERR_CONFIG,
			    "the account's TLS pin is not the base64 of a "
			    "SHA-256");
		memcpy(w->pin + 45 * n, pin.p, pin.n);
		w->pin[45 * n++ + 44] = ',';
	}
	return 0;
}

/* The settings come from the operator: a wrong one is not a network error. */
int
wire_target_take(struct wire *w, const struct wire_target *t, struct err *e)
{
	struct str host = t->host;

	if (host.n > 2 && host.p[0] == '[' && host.p[host.n - 1] == ']')
		host = (struct str){ host.p + 1, host.n - 2 };
	if (host.n > 1 && host.p[host.n - 1] == '.')
		host.n--;
	if (!wire_connect_is_host(host) || t->port == 0)
		return err_set(e, ERR_CONFIG,
		    "the account's server name or port is not valid");
	memcpy(w->host, host.p, host.n);
	w->host_is_ip = wire_connect_is_ip(w->host);
	w->port = t->port;

	if (t->ca_file.n >= sizeof(w->ca_file) ||
	    (t->ca_file.n > 0 && str_has_char(t->ca_file, '\0')))
		return err_set(e, ERR_CONFIG,
		    "the account's CA file cannot be read");
	if (t->ca_file.n > 0)
		memcpy(w->ca_file, t->ca_file.p, t->ca_file.n);

	return wire_target_set_pins(w, t->pin, e);
}
