# One Makefile, no recursion.  Variants live side by side:
#   make                      the program, gcc, -O2, hardened
#   make SAN=address,undefined  the same under sanitizers, in build-san/
#   make CC=clang             the same with clang, in build-clang/
#   make check                everything (see ./check)
CC       ?= gcc
ifeq ($(origin CC),default)
CC       := gcc
endif
SAN      ?=
PREFIX   ?= /usr/local
DESTDIR  ?=
VERSION  := 0.1.0

# ROOMS="base mime" B=build-x builds and tests some rooms alone.
ROOMS    ?=
ifneq ($(SAN),)
B        := build-san
else ifneq ($(findstring clang,$(CC)),)
B        := build-clang
else
B        := build
endif

PKGS     := libssl libcrypto sqlite3 libpcre2-8 jansson libidn2
CPPFLAGS += -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DEMCLI_VERSION='"$(VERSION)"' \
            -Isrc $(shell pkg-config --cflags $(PKGS))
WARN     := -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion \
            -Wstrict-prototypes -Wmissing-prototypes -Wswitch-enum -Wvla \
            -Wformat=2 -Werror
ifneq ($(findstring clang,$(CC)),)
WARN     += -Wpedantic -Wno-gnu-auto-type
endif
OPT      := -O2 -g
HARD     := -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE
LDHARD   := -pie -Wl,-z,relro,-z,now -Wl,--as-needed
ifneq ($(SAN),)
OPT      := -O1 -g -fno-omit-frame-pointer -fsanitize=$(SAN) \
            -fno-sanitize-recover=all
HARD     := -fPIE
endif
CFLAGS   += -std=c17 $(OPT) $(HARD) $(WARN)
LDFLAGS  += $(LDHARD) $(if $(SAN),-fsanitize=$(SAN))
LDLIBS   += $(shell pkg-config --libs $(PKGS))

SRC      := $(sort $(shell find $(if $(ROOMS),$(ROOMS:%=src/%),src) -name '*.c'))
OBJ      := $(SRC:%.c=$(B)/%.o)
LIBOBJ   := $(filter-out $(B)/src/main.o,$(OBJ))
UNITSRC  := $(sort $(wildcard $(if $(ROOMS),$(ROOMS:%=tests/unit/%/*.c),tests/unit/*/*.c)))
UNIT     := $(UNITSRC:%.c=$(B)/%)

all: $(B)/emcli

$(B)/emcli: $(OBJ)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(OBJ) $(LDLIBS)

$(B)/libemcli.a: $(LIBOBJ)
	@rm -f $@
	ar rcs $@ $(LIBOBJ)

$(B)/src/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -include base/banned.h $(CFLAGS) -MMD -MP -c -o $@ $<

$(B)/tests/%: tests/%.c $(B)/libemcli.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -Wno-missing-prototypes -MMD -MP $(LDFLAGS) \
	    -o $@ $< $(B)/libemcli.a $(LDLIBS) -lcmocka

unit: $(UNIT)
	CMOCKA_MESSAGE_OUTPUT=TAP prove --exec '' $(UNIT)

# The laws of the house; tests/laws.sh sees each of them refuse a fault.
laws: $(OBJ)
	tools/layers
	tools/one
	tools/long
	tools/names $(OBJ)
	tools/pure $(OBJ)

clean:
	rm -rf build build-*

-include $(OBJ:.o=.d) $(UNIT:%=%.d)

.PHONY: all unit laws clean
.DELETE_ON_ERROR:
