# SPDX-License-Identifier: Apache-2.0
# Prints a JSON text for people: one member or one item on each line.
function fresh(n) {
	printf "\n%*s", n * 2, ""
}
{
	deep = 0
	quoted = 0
	for (i = 1; i <= length($0); i++) {
		c = substr($0, i, 1)
		two = substr($0, i, 2)
		if (quoted) {
			printf "%s", c
			if (c == "\\")
				printf "%s", substr($0, ++i, 1)
			else if (c == "\"")
				quoted = 0
		} else if (two == "{}" || two == "[]") {
			printf "%s", two
			i++
		} else if (c == "{" || c == "[") {
			printf "%s", c
			fresh(++deep)
		} else if (c == "}" || c == "]") {
			fresh(--deep)
			printf "%s", c
		} else if (c == ",") {
			printf ","
			fresh(deep)
		} else if (c == ":") {
			printf ": "
		} else {
			printf "%s", c
			quoted = c == "\""
		}
	}
	print ""
}
