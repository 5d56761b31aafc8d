/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: addresses, read strictly and leniently, typed and sent. */
#include "check.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "mime/address.h"

static void
strict(struct arena *a, struct str raw, const struct addresses *list)
{
	struct err e = { 0 };
	struct str sole, again;

	if (address_sole(a, raw, &sole) != 1)
		return;
	check(utf8_valid(sole) && sole.n <= LIMIT_ADDRESS, "a sole address");
	check(address_sole(a, sole, &again) == 1 && str_eq(sole, again),
	    "a sole address reads as itself");
	check(address_canonical(a, sole, &again, &e) == 0 &&
		str_eq(sole, again),
	    "a sole address is canonical");
	/* Both readings agree wherever the strict one gives an answer. */
	check(list->n == 1 && list->clean, "a sole address is the only one");
	check(address_canonical(a, list->v[0].addr, &again, &e) == 0 &&
		str_eq(sole, again),
	    "both readings agree");
}

static void
typed(struct arena *a, struct str in)
{
	struct err e = { 0 };
	struct str one, two, wire;
	bool utf8;

	if (address_entry(a, in, &one, &e) == 0)
		check(address_entry(a, one, &two, &e) == 0 && str_eq(one, two),
		    "an entry reads as itself");
	if (address_wire(a, in, &wire, &utf8, &e) < 0)
		return;
	for (size_t i = 0; i < wire.n; i++)
		check((unsigned char)wire.p[i] > ' ' && wire.p[i] != '<' &&
			wire.p[i] != '>' && wire.p[i] != 0x7f,
		    "nothing on the wire ends a path");
	check(utf8 == !utf8_ascii(wire), "utf8 says so");
	check(address_canonical(a, in, &one, &e) == 0 &&
		address_canonical(a, wire, &two, &e) == 0 && str_eq(one, two),
	    "what is sent is what was judged");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str raw = { (const char *)data, size };
	struct addresses list;

	address_list(a, raw, &list);
	check(list.n <= LIMIT_ADDRESSES, "number of addresses");
	for (size_t i = 0; i < list.n; i++) {
		check(utf8_valid(list.v[i].name), "names are UTF-8");
		check(utf8_valid(list.v[i].addr), "addresses are UTF-8");
		check(list.v[i].addr.n <= LIMIT_ADDRESS, "an address's size");
		typed(a, list.v[i].addr);
	}
	strict(a, raw, &list);
	typed(a, raw);
	return 0;
}
