# impactlab - see README.md. Everything is built under build/.
#
#   make report      install what is missing, build, run the catalogue, draw results/
#   make verdicts    orders, work-precision, distances, drift: results/verdicts/report/index.html
#   make coverage-orders  the judge of orders judged, 1000 studies a line: results/reference/orders.txt
#   make test        install what is missing, build, run the suite
#   make             build only (packages must be there)
#   make test-asan   the suite under address and undefined-behaviour sanitizers
#   make lint        clang-format, clang-tidy, cppcheck, who-includes-whom
#   make bench       ratios of times within one run; bench-full, bench-reference: see scripts/bench.sh
#   make check-siconos  Siconos solves our step problems and runs moreau_jean beside us, where installed
#   make deps        install Debian packages only
#   make VARIANT=dev program suite   without link-time optimisation: rebuilds in a second, build/dev/

SHELL := /bin/bash
# make V=1 prints whole commands.
Q := $(if $(V),,@)
.DELETE_ON_ERROR:
.SUFFIXES:

CC      := gcc
VARIANT ?= release
B       := build/$(VARIANT)
JOBS    := $(shell nproc)
VERSION := 0.1.0

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
        -Wmissing-prototypes -Wvla -Wformat=2 -Werror
OPT_release := -O2 -g -flto=auto
OPT_dev     := -O1 -g
OPT_asan    := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
LINK_release := -O2 -g -flto=auto
LINK_dev    := -g
LINK_asan   := -fsanitize=address,undefined

PKGS     := gsl lua5.4 jansson
# Probed only by targets that build: `make deps` must work before any of it is installed.
PKG_CFLAGS = $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
PKG_LIBS   = $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lm
HDF5_CFLAGS = $(shell pkg-config --cflags hdf5 2>/dev/null)
HDF5_LIBS   = $(shell pkg-config --libs hdf5 2>/dev/null) -lhdf5_hl
CFLAGS   = -std=c17 -D_GNU_SOURCE $(WARN) $(OPT_$(VARIANT)) -ffp-contract=off -I. -I$(B)/gen $(PKG_CFLAGS)
LDLIBS   = $(PKG_LIBS) -lamd -Wl,--as-needed -lglpk -lgmp

# The families. A member is a file NAME.c that defines its type's table, `const il_problem_type il_problem_NAME`;
# whatever else lies beside members helps them. Another name in the table is a link error.
members = $(sort $(shell grep -lE '^const il_$(2)_type il_$(2)_' $(wildcard $(1)/*.c)))
PROBLEMS   := $(call members,problems,problem)
SCHEMES    := $(call members,schemes,scheme)
PROJECTORS := $(call members,schemes/projection,projector)
FORMATS    := $(call members,harness/io,format)
MAIN       := harness/cli/main.c
SOURCES    := $(sort $(filter-out $(MAIN) harness/io/hdf5/%,$(wildcard $(foreach r,problems schemes harness,$(r)/*.c $(r)/*/*.c $(r)/*/*/*.c))))
TESTS      := $(filter-out tests/bench/%,$(sort $(wildcard tests/*/*.c)))
CLAIMS     := $(sort $(wildcard scripts/claims/*.lua))
HEADERS    := $(wildcard */*.h */*/*.h */*/*/*.h)

OBJECTS      := $(SOURCES:%.c=$(B)/%.o)
MAIN_OBJECT  := $(MAIN:%.c=$(B)/%.o)
TEST_OBJECTS := $(TESTS:%.c=$(B)/%.o)
PROGRAM      := $(B)/impactlab
MODULE       := $(B)/impactlab_hdf5.so
SUITE        := $(B)/suite
GENERATED    := $(B)/gen/problems.def $(B)/gen/schemes.def $(B)/gen/projectors.def \
                $(B)/gen/formats.def $(B)/gen/suites.def $(B)/gen/claims.inc $(B)/gen/build_id.h

.PHONY: all program report verdicts coverage-orders test suite check test-asan lint format bench bench-full \
        bench-reference bench-reference-full check-siconos deps clean

all: program

# ---- the two commands -------------------------------------------------------------------------

report: deps
	$(MAKE) --no-print-directory -j$(JOBS) program
	build/impactlab sweep scripts/paper.lua -j $(JOBS) --results results
	build/impactlab sweep scripts/many.lua -j $(JOBS) --results results
	build/impactlab sweep scripts/sweeping.lua -j $(JOBS) --results results
	build/impactlab sweep scripts/gluey.lua -j $(JOBS) --results results
	build/impactlab sweep scripts/impacts.lua -j $(JOBS) --results results
	build/impactlab report --results results --out results/report

verdicts: deps
	$(MAKE) --no-print-directory -j$(JOBS) program
	build/impactlab sweep scripts/verdicts.lua -j $(JOBS) --results results/verdicts
	build/impactlab sweep scripts/orders.lua --results results/verdicts -- 100
	build/impactlab report --results results/verdicts --out results/verdicts/report

# Some twenty minutes.
coverage-orders: deps
	$(MAKE) --no-print-directory -j$(JOBS) program
	build/impactlab sweep scripts/orders.lua --results $(B)/orders -- 1000 all
	cp $(B)/orders/tables/orders-coverage.txt results/reference/orders.txt

test: deps
	$(MAKE) --no-print-directory -j$(JOBS) program suite
	$(MAKE) --no-print-directory check

deps:
	@bash scripts/install.sh

# ---- building ---------------------------------------------------------------------------------

program: $(PROGRAM) $(MODULE)
	@if [ $(VARIANT) = release ]; then mkdir -p build && ln -sfn release/impactlab build/impactlab; fi

suite: $(SUITE) $(MODULE)

$(PROGRAM): $(MAIN_OBJECT) $(OBJECTS)
	@echo "  link $@"
	$(Q)$(CC) $(LINK_$(VARIANT)) -o $@ $^ $(LDLIBS)

# HDF5 brings some thirty libraries: only runs that write .h5 files load them.
$(MODULE): harness/io/hdf5/module.c harness/io/hdf5/module.h harness/data/trajectory.h harness/io/fclib.h \
           harness/data/step_problem.h $(GENERATED)
	@mkdir -p $(@D)
	@echo "  link $@"
	$(Q)$(CC) $(CFLAGS) $(HDF5_CFLAGS) -fPIC -shared -o $@ $< $(HDF5_LIBS)

$(SUITE): $(TEST_OBJECTS) $(OBJECTS)
	@echo "  link $@"
	$(Q)$(CC) $(LINK_$(VARIANT)) -o $@ $^ $(LDLIBS) $(HDF5_LIBS) $(shell pkg-config --libs fclib 2>/dev/null) -lcholmod -lcunit

# What the benchmarks measure from inside.
$(B)/bench/projectors: $(B)/tests/bench/projectors.o $(B)/tests/bench/steps.o $(OBJECTS)
	@mkdir -p $(@D)
	@echo "  link $@"
	$(Q)$(CC) $(LINK_$(VARIANT)) -o $@ $^ $(LDLIBS)

$(B)/bench/factors: $(B)/tests/bench/factors.o $(B)/tests/bench/steps.o $(OBJECTS)
	@mkdir -p $(@D)
	@echo "  link $@"
	$(Q)$(CC) $(LINK_$(VARIANT)) -o $@ $^ $(LDLIBS) -lcholmod

$(B)/bench/degenerate: $(B)/tests/bench/degenerate.o $(B)/tests/support/planted.o $(OBJECTS)
	@mkdir -p $(@D)
	@echo "  link $@"
	$(Q)$(CC) $(LINK_$(VARIANT)) -o $@ $^ $(LDLIBS)

# Tests read back what the module wrote.
$(TEST_OBJECTS): CFLAGS += $(HDF5_CFLAGS)

$(B)/%.o: %.c | $(GENERATED)
	@mkdir -p $(@D)
	@echo "  $<"
	$(Q)$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

-include $(OBJECTS:.o=.d) $(MAIN_OBJECT:.o=.d) $(TEST_OBJECTS:.o=.d)

# A list is rewritten only when it changes; the compiler's own notes (-MMD) say which objects include
# it, so that a member that is deleted leaves the program and one that is added enters it. A misspelt
# name is a link error.
define LIST
$(1): FORCE
	@mkdir -p $$(@D)
	@printf 'X(%s)\n' $(2) > $$@.new
	@cmp -s $$@ $$@.new && rm $$@.new || mv $$@.new $$@
endef
$(eval $(call LIST,$(B)/gen/problems.def,$(basename $(notdir $(PROBLEMS)))))
$(eval $(call LIST,$(B)/gen/schemes.def,$(basename $(notdir $(SCHEMES)))))
$(eval $(call LIST,$(B)/gen/projectors.def,$(basename $(notdir $(PROJECTORS)))))
$(eval $(call LIST,$(B)/gen/formats.def,$(patsubst format_%,%,$(basename $(notdir $(FORMATS))))))
$(eval $(call LIST,$(B)/gen/suites.def,$(patsubst test_%,%,$(basename $(filter test_%,$(notdir $(TESTS)))))))

# The claims travel inside the program, so that `verify` works from anywhere: their bytes, and a table
# of them.
$(B)/gen/claims.inc: FORCE
	@mkdir -p $(@D)
	@{ for f in $(CLAIMS); do \
	  printf 'static const unsigned char claim_%s[] = {\n' "$$(basename $$f .lua)"; \
	  od -An -v -tx1 $$f | sed 's/ \([0-9a-f][0-9a-f]\)/0x\1,/g'; printf '};\n'; done; \
	  printf 'static const struct { const char *name; const unsigned char *text; size_t size; } claim_files[] = {\n'; \
	  for f in $(CLAIMS); do n=$$(basename $$f .lua); \
	  printf '{"%s", claim_%s, sizeof claim_%s},\n' $$n $$n $$n; done; printf '};\n'; } > $@.new
	@cmp -s $@ $@.new && rm $@.new || mv $@.new $@

# What a stored result depends on: the program's own sources. Another build, another key.
$(B)/gen/build_id.h: FORCE
	@mkdir -p $(@D)
	@printf '#define IL_VERSION "%s"\n#define IL_BUILD_ID "%s"\n' '$(VERSION)' \
	  "$$(cat $(sort $(SOURCES) $(HEADERS)) $(CLAIMS) | sha256sum | cut -c1-16)" > $@.new
	@cmp -s $@ $@.new && rm $@.new || mv $@.new $@

FORCE:

# ---- checking ---------------------------------------------------------------------------------

# Lua and shell tests first, the CUnit suite last: its own closing lines close the run.
check: program suite
	bash tests/house/includes.sh
	IMPACTLAB=$(PROGRAM) bash tests/cli/outside.sh
	$(SUITE)

test-asan: deps
	$(MAKE) --no-print-directory -j$(JOBS) VARIANT=asan program suite
	$(MAKE) --no-print-directory VARIANT=asan check

lint:
	bash scripts/lint.sh

format:
	clang-format -i $$(git ls-files '*.c' '*.h')

bench bench-full bench-reference bench-reference-full: deps
	$(MAKE) --no-print-directory -j$(JOBS) program $(B)/bench/projectors $(B)/bench/factors
	bash scripts/bench.sh $(if $(findstring reference,$@),--reference) $(if $(findstring full,$@),--full)

# Siconos solves step problems that the program wrote; skipped where it is not installed.
check-siconos: deps
	$(MAKE) --no-print-directory -j$(JOBS) program
	bash scripts/bench_siconos.sh --check
	/usr/bin/python3 scripts/siconos_moreau_jean.py $(PROGRAM)

clean:
	rm -rf build
