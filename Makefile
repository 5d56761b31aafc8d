# SPDX-License-Identifier: Apache-2.0
# One Makefile; it calls itself only to make, for the machine it runs on, what
# it has to run.  Variants live side by side:
#   make                      the program, gcc, -O2, hardened
#   make SAN=address,undefined  the same under sanitizers, in build-san/
#   make CC=clang             the same with clang, in build-clang/
#   make CC=aarch64-linux-gnu-gcc  for another machine, in build-aarch64.../
#   make ARCH=aarch64         the same, by the compiler's usual name
#   make STATIC=1             one file that needs no other, in build-static/;
#                             with ARCH too
#   make unit/gate            the unit tests of one room, under sanitizers
#   make check                everything (see ./check)
# It says what it makes in short lines; make V=1 shows the commands.
# CFLAGS, CPPFLAGS, LDFLAGS and LDLIBS are yours: they are added to what is
# ours, and never take the language or the hardening away.
CC       ?= gcc
CC_FOR_BUILD ?= gcc
ARCH     ?=
ifeq ($(origin CC),default)
CC       := $(if $(filter-out $(shell uname -m),$(ARCH)),$(ARCH)-linux-gnu-)gcc
endif
SAN      ?=
STATIC   ?=
override STATIC := $(filter-out 0,$(STATIC))
FAST     :=
PLAIN    :=
PREFIX   ?= /usr/local
DESTDIR  ?=
WERROR   ?= -Werror
VERSION  := 0.2.0
# Empty where nothing tells it.
COMMIT   ?= $(shell tools/commit)
COMMIT   := $(COMMIT)
.DEFAULT_GOAL := all

# At the head of a recipe: $(call say,CC), which -s and V=1 leave out.
V        ?=
LOUD     := $(filter-out 0,$(V))
Q        := $(if $(LOUD),,@)
silent    = $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
say       = $(if $(LOUD)$(silent),,$(info $(1)	$@))$(Q)

# For another machine: what is run here is made here, in build-host/.
machine  = $(firstword $(subst -, ,$(shell $(1) -dumpmachine 2>/dev/null)))
ifeq ($(filter gcc cc clang $(CC_FOR_BUILD),$(CC)),)
ifneq ($(call machine,$(CC)),$(call machine,$(CC_FOR_BUILD)))
TARGET   := $(shell $(CC) -dumpmachine 2>/dev/null)
endif
endif
TOOLS    := $(if $(TARGET),$(TARGET)-)
PKG_CONFIG ?= $(if $(TARGET),$(or \
            $(shell command -v $(TARGET)-pkg-config 2>/dev/null), \
            env PKG_CONFIG_LIBDIR=/usr/lib/$(TARGET)/pkgconfig pkg-config), \
            pkg-config)
STRIP    ?= $(TOOLS)strip
ifeq ($(origin AR),default)
AR       := $(TOOLS)ar
endif

# ROOMS="html mime" B=build-x builds and tests some rooms alone, with those
# below them.
ROOMS    ?=
ifneq ($(STATIC),)
ifneq ($(SAN)$(findstring clang,$(CC)),)
$(error STATIC=1 is for gcc, and without sanitizers)
endif
endif
ifneq ($(SAN),)
B        := build-san
else ifneq ($(STATIC),)
B        := build-static$(TARGET:%=-%)
else ifneq ($(TARGET),)
B        := build-$(TARGET)
else ifneq ($(findstring clang,$(CC)),)
B        := build-clang
else
B        := build
endif

# What is run here is made here: the generator, and, for the manual and the
# completions, the program, which may be given: a native one, or qemu and ours.
HOST     := $(if $(TARGET),$(if $(STATIC),build-static,build-host),$(B))
EMCLI_FOR_BUILD ?= $(HOST)/emcli

PKGS     := libssl libcrypto libpcre2-8 jansson libidn2
# The others, in SQLITE, YAML, JANSSON, PCRE, IDN, FORMS and HTTPD: archives
# where there are any.
ifeq ($(filter clean check,$(MAKECMDGOALS)),)
include $(B)/found.mk $(B)/below.mk
endif
$(B)/found.mk: tools/found tools/packages.txt
	@mkdir -p $(@D)
	@CC="$(CC)" CFLAGS="$(CFLAGS)" LDFLAGS="$(LDFLAGS)" \
	    PKG_CONFIG="$(strip $(PKG_CONFIG))" STATIC="$(STATIC)" tools/found $(PKGS) > $@
# BELOW_gate: the rooms that the gate reaches.
$(B)/below.mk: LAYERS tools/below
	@mkdir -p $(@D)
	@awk -f tools/below $< > $@

CPP      := $(CPPFLAGS) -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 \
            -DEMCLI_VERSION='"$(VERSION)"' -DEMCLI_COMMIT='"$(COMMIT)"' \
            -Isrc $(shell $(PKG_CONFIG) --cflags $(PKGS))
WARN     := -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion \
            -Wstrict-prototypes -Wmissing-prototypes -Wswitch-enum -Wvla \
            -Wformat=2 $(WERROR)
CLANGWARN := $(WARN) -Wpedantic -Wno-gnu-auto-type -Wreserved-identifier
ifneq ($(findstring clang,$(CC)),)
WARN     := $(CLANGWARN)
endif
OPT      := -O2 -g
# Without optimizing there is nothing to fortify, and libc says so.
FORTIFY  := $(if $(filter -O0,$(CFLAGS)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
HARD     := $(FORTIFY) -fstack-protector-strong -fPIE
LDHARD   := -pie -Wl,-z,relro,-z,now -Wl,--as-needed
ifneq ($(SAN),)
# Undefined behaviour traps, and AddressSanitizer says where.  Its words for
# it, and addresses to relocate, are a fifth of a start, and the tests make
# thousands: make SAN=address,undefined TRAP= B=build-words has them.
TRAP     ?= -fsanitize-undefined-trap-on-error
OPT      := -O1 -g1 -fno-omit-frame-pointer -fsanitize=$(SAN) \
            -fno-sanitize-recover=all $(TRAP)
HARD     := $(if $(TRAP),-fno-pie,-fPIE)
LDHARD   := $(if $(TRAP),-no-pie,-pie) -Wl,--as-needed
export ASAN_OPTIONS ?= handle_sigill=1
# Not optimized, a file is compiled in two thirds of the time.  So only what reads
# mail is.
PLAIN    := $(if $(filter -O%,$(CFLAGS)),,$(filter-out $(B)/src/base/ $(B)/src/html/ \
            $(B)/src/mime/,$(patsubst %,$(B)/%,$(wildcard src/*/))))
endif
ifneq ($(STATIC),)
# Small: what is not called is left out, and no stack is unwound.  A quarter of
# the rest would be addresses to relocate, if they were not packed.  The linker
# warns of what libcrypto would load late, and of lookups, see base/lookup.h.
OPT      := -Os -g -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables
LDSHARED := $(LDHARD)
LDHARD   := -static-pie -s -Wl,-z,relro,-z,now,-z,text,-z,pack-relative-relocs \
            -Wl,--gc-sections,--no-warnings,--no-eh-frame-hdr,-T,tools/unwound.ld
# What reads mail is made to be fast all the same, if nobody says otherwise.
FAST     := $(if $(filter -O%,$(CFLAGS)),,$(B)/src/base/% $(B)/src/html/% $(B)/src/mime/%)
endif
# No folder's name is in what comes out: built elsewhere it is the same.  The
# compiler calls the folder what PWD does.
export PWD := $(CURDIR)
C        := $(OPT) $(CFLAGS) -std=c17 $(HARD) $(WARN) \
            -ffile-prefix-map=$(CURDIR)=.
# Under sanitizers hundreds of programs are linked: gold takes a third of the time
# of ld, and takes what ld does from archives (lld does not).
QUICK    := $(if $(SAN),$(if $(shell command -v ld.gold),-fuse-ld=gold))
LD       := $(LDFLAGS) $(LDHARD) $(if $(SAN),-fsanitize=$(SAN)) $(QUICK)
LD_HERE  := $(if $(STATIC),$(LDFLAGS) $(LDSHARED),$(LD))
LIBS     := $(shell $(PKG_CONFIG) --libs libssl libcrypto) $(SQLITE) $(YAML) \
            $(JANSSON) $(PCRE) $(IDN) $(LDLIBS)
ALL_LIBS := $(LIBS) $(FORMS) $(HTTPD)
ifneq ($(STATIC),)
# Of three libraries a part, and all with what they are made of themselves, in
# whatever order; but of what libcurl is made of, only what is here already.
TRIMMED  := $(addprefix $(B)/lib/,libcurl.a libpcre2-8.a libsqlite3.a)
LATE     := -L$(B)/lib -Wl,--start-group -lcurl $(filter-out -lm,$(SQLITE)) $(shell \
            $(PKG_CONFIG) --static --libs $(PKGS) zlib liblzma libseccomp) -Wl,--end-group
WIDE     := mbrtowc mbtowc mblen mbstowcs wcrtomb wcsrtombs wcstombs wcwidth \
            btowc wctob iswprint iswalpha iswalnum nl_langinfo
ALL_LIBS := $(YAML) $(FORMS) $(HTTPD) $(LATE) $(LDLIBS) $(WIDE:%=-Wl,--wrap=%)
# Every archive that is linked, the C library's too, by its path.
ARCHIVES := $(filter /%,$(shell for f in libc.a libgcc.a $(patsubst -l%,lib%.a, \
            $(patsubst -l:lib%.a,-l%,$(filter -l%,$(ALL_LIBS) $(SQLITE)))); do \
            $(CC) -print-file-name=$$f; done))
endif

# What the shared program loads late, and the static one has in it: each has its
# own X_shared.c or X_static.c, and nothing else in it differs.
# A room's unit tests are linked with the room and what is below it, so that a
# change above makes none of them.  ALSO_ROOM: where they look further up.
ALSO_gate := op
WITH      = $(sort $(BELOW_$(1)) $(foreach r,$(ALSO_$(1)),$(BELOW_$(r))))
EVERY    := $(sort $(shell find $(if $(ROOMS),$(patsubst %,src/%,$(sort $(ROOMS) \
            $(foreach r,$(ROOMS),$(call WITH,$(r))))),src) -name '*.c'))
SRC      := $(filter-out $(if $(STATIC),%_shared.c,%_static.c),$(EVERY))
# Migrations become a C array of the store's.
SQL      := $(sort $(wildcard src/store/migrations/*.sql))
GEN      := $(if $(filter src/store/%,$(SRC)),$(B)/gen/store/migrations.c)
# So do the skills, together with what the table of operations says.
TEXTS    := $(sort $(wildcard skills/*/SKILL.md skills/*/*/*.md))
CATALOG  := $(if $(filter src/skill/%,$(SRC)),$(B)/gen/skill/skills.c)
GEN      += $(CATALOG)
# The static program's charsets and terminals, and what its libraries lack.
CHARSETS := $(B)/gen/mime/charset_tables.c
WIDTHS   := $(B)/gen/door/widths.c
ifneq ($(STATIC),)
GEN      += $(if $(filter src/mime/%,$(SRC)),$(CHARSETS)) \
            $(if $(filter src/door/%,$(SRC)),$(B)/gen/door/terminals.c $(WIDTHS)) \
            $(if $(filter src/net/%,$(SRC)),$(B)/gen/net/stubs.c)
endif
GEN      += $(if $(filter src/door/%,$(SRC)),$(B)/gen/door/libraries.c)
OBJ      := $(SRC:%.c=$(B)/%.o) $(GEN:%.c=%.o)
LIBOBJ   := $(filter-out $(B)/src/main.o,$(OBJ))
UNITSRC  := $(sort $(wildcard $(if $(ROOMS),$(ROOMS:%=tests/unit/%/*.c),tests/unit/*/*.c)))
UNIT     := $(UNITSRC:%.c=$(B)/%)

all: $(B)/emcli

# With packages come archives that may be older than what was linked of others:
# what was linked is kept by name, size and date.
LINKED   := $(if $(STATIC),$(B)/archives)
$(B)/archives: always
	@mkdir -p $(@D)
	@stat -L -c '%n %s %Y' $(ARCHIVES) | cmp -s - $@ || \
	    stat -L -c '%n %s %Y' $(ARCHIVES) > $@

$(B)/emcli: $(OBJ) $(LINKED) $(if $(STATIC),tools/unwound.ld)
	$(call say,LINK)$(CC) $(C) $(LD) -o $@ $(OBJ) $(ALL_LIBS)

$(B)/libemcli.a: $(LIBOBJ)
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $(LIBOBJ)

$(B)/src/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPP) -include base/banned.h $(C) $(if $(filter $(FAST),$@),-O2 )$(if $(filter $(PLAIN:%=%%),$@),-O0 )-MMD -MP -c -o $@ $<

# Only main.c has the commit in it, and only another commit makes it again.
$(B)/src/main.o: $(B)/gen/commit
$(B)/gen/commit: always
	@mkdir -p $(@D)
	@test -z "$(COMMIT)" -a -e $@ || echo "$(COMMIT)" | cmp -s - $@ || echo "$(COMMIT)" > $@
always: ;
.PHONY: always

$(B)/gen/door/libraries.c: tools/libraries $(B)/found.mk $(LINKED)
	@mkdir -p $(@D)
	$(call say,GEN)PKG_CONFIG="$(strip $(PKG_CONFIG))" tools/libraries > $@ || { rm -f $@; false; }

$(B)/gen/store/migrations.c: $(SQL) src/store/migrations tools/migrations
	@mkdir -p $(@D)
	$(call say,GEN)sh tools/migrations $(SQL) > $@

# They are made of what is here: of iconv(3), of wcwidth(3), and of what is called
# of libcurl, which is all in one object, SQLite and PCRE2.
ifeq ($(TARGET),)
$(CHARSETS): tools/charsets.c $(B)/src/mime/charset_label.o $(B)/src/mime/charset_escape_table_static.o
	@mkdir -p $(@D)
	$(call say,GEN)$(CC) $(CPP) $(C) $(LD_HERE) -MMD -MP -MT $@ -MF $(B)/charsets.d \
	    -o $(B)/charsets $(filter %.c %.o,$^) && $(B)/charsets > $@

$(WIDTHS): tools/widths.c
	@mkdir -p $(@D)
	$(call say,GEN)$(CC) $(CPP) $(C) $(LD_HERE) -MMD -MP -MT $@ -MF $(B)/widths.d \
	    -o $(B)/widths $< && $(B)/widths > $@
endif

$(B)/gen/door/terminals.c: tools/terminals
	@mkdir -p $(@D)
	$(call say,GEN)tools/terminals > $@ || { rm -f $@; false; }

$(TRIMMED) &: tools/trim $(B)/archives
	$(call say,GEN)CC="$(CC)" AR="$(AR)" tools/trim $(B)/lib

$(B)/gen/net/stubs.c: $(B)/src/net/http_curl_static.o tools/stubs $(TRIMMED)
	@mkdir -p $(@D)
	$(call say,GEN)tools/stubs $(CC) $(LDFLAGS) -static-pie $< $(LATE) \
	    -Wl,-u,sqlite3_open_v2,-u,pcre2_compile_8,-u,pcre2_match_8 > $@ || \
	    { rm -f $@; false; }

ifneq ($(TARGET),)
$(HOST)/%: $(SRC) $(TEXTS)
	$(MAKE) --no-print-directory CC="$(CC_FOR_BUILD)" AR=ar STRIP=strip \
	    PKG_CONFIG=pkg-config ARCH= SAN= CFLAGS= CPPFLAGS= LDFLAGS= LDLIBS= \
	    B=$(HOST) $@

# These are the same for each machine.
$(B)/gen/skill/skills.c $(CHARSETS) $(WIDTHS): $(B)/gen/%: $(HOST)/gen/%
	@mkdir -p $(@D)
	$(call say,GEN)cp $< $@
else ifneq ($(filter src/op/%,$(SRC)),)
# The generator reads the table of operations and runs none of them: what they
# call is left unresolved, and bound when it is called, which is never.  Data
# that is missing would end it as it starts.  So a change below the operations
# links the program and nothing else.
GENOBJ   := $(filter $(B)/src/op/% $(B)/src/base/%,$(OBJ)) \
            $(patsubst %,$(B)/src/%.o,gate/sources_fields gate/warning net/sha256 \
            net/wire_openssl skill/front door/argv door/fit door/out door/usage)
LAZY     := -rdynamic -Wl,-z,lazy -Wl,--unresolved-symbols=ignore-all
$(B)/skillgen: tools/skillgen.c $(GENOBJ)
	$(call say,LINK)$(CC) $(CPP) -include base/banned.h $(C) $(LD_HERE) $(LAZY) -o $@ \
	    $< $(GENOBJ) $(LIBS)

# What says the same as before keeps its age, so that nothing is made of it.
$(B)/gen/skill/skills.c: $(B)/gen/skill/made ;
$(B)/gen/skill/made: $(TEXTS) $(B)/skillgen
	@mkdir -p $(@D)
	$(call say,GEN)env -u LD_BIND_NOW $(B)/skillgen $(TEXTS) > $@
	@cmp -s $@ $(@D)/skills.c || cp $@ $(@D)/skills.c
else
# Without the room of operations: none.
$(B)/gen/skill/skills.c:
	@mkdir -p $(@D)
	$(call say,GEN)printf '#include "skill/internal.h"\nconst struct skill skills_all[] = { { 0 } }, skills_home[] = { { 0 } };\n' > $@
endif

$(B)/gen/%.o: $(B)/gen/%.c Makefile
	$(call say,CC)$(CC) $(CPP) $(C) -MMD -MP -c -o $@ $<

# Tests run once: under sanitizers it is quicker to compile them as they stand.
.PRECIOUS: $(B)/tests/%.o
$(B)/tests/%.o: tests/%.c
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPP) $(C) $(if $(SAN),-O0) -Wno-missing-prototypes \
	    -MMD -MP -c -o $@ $<

# Stores of mail in memory.  Whoever calls them links their table of backends;
# for all others the room has its own, since this archive comes first.
FAKE     := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard tests/fake/*.c)))

$(B)/libfake.a: $(FAKE)
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $^

TESTLINK  = $(CC) $(C) $(LD) -o $@ $(filter %.o %/libfake.a,$^) \
            -Wl,--start-group $(filter-out %/libfake.a,$(filter %.a,$^)) \
            -Wl,--end-group $(ALL_LIBS) -lcmocka
$(B)/tests/%: $(B)/tests/%.o $(B)/libemcli.a
	$(call say,LINK)$(TESTLINK)

ROOMOF    = $(filter $(B)/src/$(1)/% $(B)/gen/$(1)/%,$(LIBOBJ))
HERE     := $(foreach r,$(patsubst BELOW_%,%,$(filter BELOW_%,$(.VARIABLES))),$(if $(call ROOMOF,$(r)),$(r)))
REACH     = $(filter $(HERE),$(call WITH,$(1)))
define room
$(B)/$(1).a: $(call ROOMOF,$(1))
	@rm -f $$@
	$$(call say,AR)$(AR) rcs $$@ $$^
$(filter $(B)/tests/unit/$(1)/%,$(UNIT)): $(B)/tests/%: $(B)/tests/%.o $(if $(filter op,$(call REACH,$(1))),$(B)/libfake.a) \
    $(patsubst %,$(B)/%.a,$(call REACH,$(1)))
	$$(call say,LINK)$$(TESTLINK)
endef
$(foreach r,$(HERE),$(eval $(call room,$(r))))

PROVE    := CMOCKA_MESSAGE_OUTPUT=TAP prove --exec tests/limited
unit: $(UNIT)
	$(Q)$(PROVE) -j4 $(UNIT)

# The tests of one room under sanitizers, which finds what a change broke in
# seconds: make unit/gate.
unit/%:
	$(Q)$(MAKE) --no-print-directory SAN=address,undefined \
	    $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc)) unit-room ROOM_TESTED=$*
unit-room: $(filter $(B)/tests/unit/$(ROOM_TESTED)/%,$(UNIT))
	@$(if $^,$(PROVE) -j4 $^,echo "there are no unit tests of $(ROOM_TESTED)" >&2; false)

# The static program's charsets and characters, in this one: what is named comes
# first.
MIMETWIN := $(patsubst %.c,$(B)/%.o,$(filter src/mime/%_static.c,$(EVERY))) $(CHARSETS:%.c=%.o)
WIDETWIN := $(B)/src/door/form/face_wide_static.o $(WIDTHS:%.c=%.o)
$(B)/tests/unit/mime/charset_static $(B)/fuzz/charset_static: $(MIMETWIN)
$(B)/tests/unit/door/face_wide_static: $(WIDETWIN)

# Stores in memory that their schema is compared with, see made_schema.h.
$(addprefix $(B)/tests/unit/store/,check restore restore_chains restore_refused restore_rows): \
    ALL_LIBS += -Wl,--wrap=migrate_run

# For the check: what does not compile hides nothing of what does.
unit-build: $(UNIT)
unit-run:
	$(Q)$(PROVE) -j4 $(wildcard $(UNIT))

# Children that are killed, one for each system call: under sanitizers, where a
# child is dear, unit-run takes each eighth of the calls that these do.
KILLED   := $(filter %/session_crash %/agentbox_full $(B)/tests/unit/backend/agentbox_crash%,$(UNIT))
unit-killed: $(KILLED)
	$(Q)$(PROVE) -j4 $(KILLED)

# Any backend against its contract: here Maildir, which needs no server;
# tests/e2e/test_conform.py runs the same program on servers.
CONFORM  := $(B)/tests/conform/backend
$(CONFORM).o: $(wildcard tests/conform/*.h)

# Our threads, for tests/e2e/test_threads.py to hold against a server's.
THREADS  := $(B)/tests/conform/thread

conform: $(CONFORM) $(THREADS)
	$(Q)$(PROVE) $(CONFORM)
	$(Q)CONFORM_WIRED=1 $(PROVE) $(CONFORM)

# Our readings of mail, for tests/e2e/test_corpus.py and test_html.py to hold
# against other readers'.
READERS  := $(B)/tests/corpus/read $(B)/tests/corpus/html
readers: $(READERS)

# Fuzz targets over their corpora, without a fuzzer.
FUZZ     := $(patsubst tests/fuzz/%.c,%,$(filter-out tests/fuzz/replay.c,$(sort $(wildcard tests/fuzz/*.c))))

$(B)/fuzz/%: tests/fuzz/%.c tests/fuzz/replay.c $(B)/libemcli.a
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CPP) $(C) -Wno-missing-prototypes $(LD) -o $@ \
	    $< tests/fuzz/replay.c $(filter %.o,$^) $(B)/libemcli.a $(ALL_LIBS)

replay: $(FUZZ:%=$(B)/fuzz/%)
	@bad=0; for f in $(FUZZ); do \
	    tests/limited $(B)/fuzz/$$f tests/fuzz/corpus/$$f/* || bad=1; \
	done; exit $$bad

# clang-tidy, a folder at a time: to start it costs twice what a file does.  What
# is clean stays so: only files that changed are read, and all if a header did.
# It is clang, too: what that warns of when it compiles is an error here.
# Its analyzer walks a function's paths until it has seen so many states; the
# default of 225000 takes several times as long: make tidy TIDY_NODES=225000.
TIDY_NODES ?= 15000
# Of the static program only what the shared one has not.
TIDIED   := $(if $(STATIC),$(filter %_static.c,$(SRC)),$(SRC))
TIDY     := $(patsubst %,$(B)/%tidied,$(sort $(dir $(TIDIED))))
HEADERS  := $(shell find src -name '*.h')

.SECONDEXPANSION:
$(TIDY): $(B)/%/tidied: $$(filter $$(wildcard %/*.c),$$(TIDIED)) $(HEADERS) .clang-tidy
	@mkdir -p $(@D)
	@clang-tidy --quiet $(TIDY_CHECKS) $(if $(filter-out %.c,$?),$(filter %.c,$^),$?) \
	    -- $(CPP) -include base/banned.h -std=c17 \
	    $(CLANGWARN) -Xclang -analyzer-config -Xclang max-nodes=$(TIDY_NODES) \
	    2> $@.err || { cat $@.err; exit 1; }
	@mv $@.err $@

tidy: $(TIDY)

# The laws of the house; tests/laws.sh sees each of them refuse a fault.  Stubs
# have the names of others.
laws: $(OBJ)
	@tools/layers
	@tools/one
	@tools/long
	@tools/spdx
	@tools/names $(filter-out %/stubs.o,$(OBJ))
	@tools/pure $(OBJ)
	@tools/circles $(OBJ)

# @OPERATIONS@ and its like are made from the tables the program runs on.
DOCS     := $(patsubst %.in,$(B)/%,$(wildcard doc/*.in))

$(B)/doc/%: doc/%.in $(EMCLI_FOR_BUILD)
	@mkdir -p $(@D)
	$(call say,DOC)awk -v emcli=$(EMCLI_FOR_BUILD) '/^@[A-Z]+@$$/ { \
	    cmd = emcli " manual " tolower(substr($$0, 2, length($$0) - 2)); \
	    while ((cmd | getline line) > 0) print line; \
	    if (close(cmd) != 0) exit 1; next } { print }' $< > $@

docs: $(DOCS)
	$(Q)mandoc -Tlint -W warning $(DOCS)

# All papers as pages, and the manual, in build/site/.
site: docs
	$(Q)tools/site --manual $(B)/doc $(B)/site

# The manual as HTML.  Its pages lead to each other, and to Debian's for what is
# not ours: mandoc looks which pages are beside the one that it reads.
PAGES    := $(DOCS:$(B)/doc/%=$(B)/html/%.html)
html: $(PAGES)
$(B)/html/%.html: $(B)/doc/% $(DOCS)
	@mkdir -p $(@D)
	$(call say,HTML)cd $(<D) && mandoc -Thtml \
	    -Otoc,man='%N.%S.html;https://manpages.debian.org/%N.%S' $(<F) > $(abspath $@)

# PREFIX and, for packages, DESTDIR.  install-debug leaves in the program what
# a debugger asks for.
SHARE    := $(DESTDIR)$(PREFIX)/share
ZSHDIR   ?= $(PREFIX)/share/zsh/site-functions
# What README.md links to, where it looks for that.
PAPERS   := $(wildcard *.md bench/*.md) \
	$(shell find doc -name '*.md' -o -name '*.svg')
install-debug: PUT = install
install: PUT = install -s --strip-program=$(STRIP)
install install-debug: $(B)/emcli $(DOCS)
	$(PUT) -D -m 755 $(B)/emcli $(DESTDIR)$(PREFIX)/bin/emcli
	install -D -m 644 $(B)/doc/emcli.1 $(SHARE)/man/man1/emcli.1
	install -D -m 644 $(B)/doc/emcli-reply.5 \
	    $(SHARE)/man/man5/emcli-reply.5
	install -D -m 644 $(B)/doc/emcli-serve.8 \
	    $(SHARE)/man/man8/emcli-serve.8
	for f in $(PAPERS); do install -D -m 644 $$f $(SHARE)/doc/emcli/$$f; done
	install -d $(SHARE)/bash-completion/completions \
	    $(DESTDIR)$(ZSHDIR) $(SHARE)/fish/vendor_completions.d
	$(EMCLI_FOR_BUILD) completion bash \
	    > $(SHARE)/bash-completion/completions/emcli
	$(EMCLI_FOR_BUILD) completion zsh > $(DESTDIR)$(ZSHDIR)/_emcli
	$(EMCLI_FOR_BUILD) completion fish \
	    > $(SHARE)/fish/vendor_completions.d/emcli.fish

# What systemd reads to run the broker, for packages: what emcli serve install
# prints, in the distribution's places instead of the operator's.
UNITDIR  ?= $(PREFIX)/lib/systemd/system
install-broker: $(EMCLI_FOR_BUILD)
	install -d $(DESTDIR)$(UNITDIR) $(DESTDIR)$(PREFIX)/lib/sysusers.d \
	    $(DESTDIR)$(PREFIX)/lib/tmpfiles.d
	tools/units $(EMCLI_FOR_BUILD) $(PREFIX)/bin/emcli \
	    /etc/systemd/system=$(DESTDIR)$(UNITDIR) \
	    /etc/sysusers.d=$(DESTDIR)$(PREFIX)/lib/sysusers.d \
	    /etc/tmpfiles.d=$(DESTDIR)$(PREFIX)/lib/tmpfiles.d

# The manual as HTML.
install-doc: $(PAGES)
	install -d $(SHARE)/doc/emcli/html
	install -m 644 $(PAGES) $(SHARE)/doc/emcli/html

# Which branches of the rules no test takes, by gcov: unit tests, and of the
# end-to-end tests those in COVER_E2E="tests/e2e/test_gate.py ...".
COVER_E2E ?=
cover:
	$(Q)$(MAKE) --no-print-directory B=build-cover CFLAGS="-O0 --coverage" \
	    cover-unit $(if $(COVER_E2E),all readers)
	$(Q)$(if $(COVER_E2E),EMCLI_BIN=$(CURDIR)/build-cover/emcli PYTHONDONTWRITEBYTECODE=1 \
	    /usr/bin/python3 -m pytest -q -p no:cacheprovider $(COVER_E2E))
	$(Q)tools/cover build-cover
cover-unit: $(filter $(addprefix $(B)/tests/unit/,policy/% gate/% store/% door/%),$(UNIT))
	$(Q)find $(B) -name '*.gcda' -exec rm {} +
	$(Q)$(PROVE) -j4 $^

# How each file is compiled, for clangd and its like.
comma    := ,
compiled  = {"directory": "$(CURDIR)", "file": "$(1)", "command": "$(subst ",\",$(CC) $(CPP) $(C) $(if $(filter src/%,$(1)),-include base/banned.h) -c $(1))"}
compile_commands.json: Makefile $(SRC) $(UNITSRC)
	$(call say,GEN)true
	$(file >$@,[$(subst } {,}$(comma) {,$(foreach f,$(SRC) $(UNITSRC),$(call compiled,$(f))))])

# The whole proof.
check:
	./check

clean:
	rm -rf build build-*

-include $(OBJ:.o=.d) $(FAKE:.o=.d) $(UNIT:%=%.d)
-include $(MIMETWIN:.o=.d) $(WIDETWIN:.o=.d) $(B)/charsets.d $(B)/widths.d

.PHONY: all check unit unit-build unit-run unit-killed unit-room cover cover-unit conform readers replay tidy laws docs site install install-debug html install-broker install-doc clean
.DELETE_ON_ERROR:
