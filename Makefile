# impactlab - see README.md. Everything is built under build/.
#
#   make report      install what is missing, build, run the catalogue, draw results/
#   make controls    wrong inputs that must make each claim fail
#   make report-pdf  the page of the report on paper, through LuaLaTeX where it is installed
#   make verdicts    orders, work-precision, distances, drift: results/verdicts/report/index.html
#   make coverage-orders  the judge of orders judged, STUDIES=200 a line: results/reference/orders.txt
#   make test        install what is missing, build, run the suite
#   make             build only (packages must be there)
#   make test-faults every call path's allocations and every write fail, in every verb: minutes; EVERY=1 each
#                    allocation: hours
#   make test-kills  sweeps killed 200 times at random, before every write, and on a full disk: minutes
#   make load        sweeps killed, resumed and damaged for LOAD_SECONDS=3600, and one that goes on beside them
#   make test-store  what 10 000 stored runs cost: storing, status, list, the index made anew
#   make test-steps  ten million steps of a few problems, and what must hold after them: minutes
#   make analyze     gcc's -fanalyzer over the program; ANALYZE="schemes/maury.c" some files
#   make test-valgrind  a few commands under valgrind
#   make hardness    what was tried to break the program, from what these leave behind: CONTRIBUTING.md
#   make test-asan   the suite under address and undefined-behaviour sanitizers
#   make test-threads  what threads share, under the thread sanitizer: minutes
#   make fuzz        libFuzzer on every harness of tests/fuzz, FUZZ_RUNS=2000 executions each: tests/fuzz
#   make properties  TRIES=1000000 random inputs for each of its quick harnesses; what breaks one is shrunk
#   make coverage    lines and branches that the suite executes, a table: tests/mutation
#   make mutation    a wrong token at a time in numerical files, each seen by a test, or a reason why not
#   make test-report a false check planted in every script stands on top of the page: minutes
#   make test-page   the page of a report in Chromium, where that is installed
#   make test-figures  no legend of the report covers what is drawn, fonts are embedded: after make report
#   make ensembles   crowds and piles over many starts, for results/reference: half an hour
#   make test-bits   the same bits and verdicts under every variant of the C library, by gcc -O0, -O2, -O3 -march=native and clang -O2
#   make lint        clang-format, clang-tidy, cppcheck, who-includes-whom, sizes
#   make test-slurm  a sweep as a job array on a Slurm cluster of this machine, one node of which dies; installs Slurm
#   make test-docs   every session and skeleton in the pages, run
#   make bench       ratios of times within one run; bench-full, bench-reference: see scripts/bench.sh
#   make check-siconos  Siconos solves our step problems and runs moreau_jean beside us, where installed
#   make second-opinion  the record's numbers computed anew in Python, without our code: tests/second;
#                    second-opinion-planted: with ours falsified, which must be seen
#   make install     PREFIX=/usr/local DESTDIR=; uninstall removes it
#   make dist        build/impactlab-VERSION.tar.gz; deb: build/impactlab_VERSION_ARCH.deb
#   make manual      the manual for a browser: build/manual/index.html
#   make test-install  the program installed, moved, copied alone; the tarball built, the package
#   make test-bare   a bare Debian 12: both commands, the tutorial, the installation: root, debootstrap
#   make help        these lines
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
OPT_O0      := -O0 -g
# gcc 12 takes an array that is set to zero for uninitialised where masked vectors read it.
OPT_O3      := -O3 -march=native -g -Wno-error=maybe-uninitialized
OPT_clang   := -O2 -g
# Edges are counted; comparisons are not traced, which takes half the time where loops are numerical.
OPT_fuzz    := -O2 -g -DIL_FUZZED -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow -fno-sanitize-coverage=trace-cmp \
               -fno-sanitize-recover=all -fno-omit-frame-pointer
OPT_tsan    := -O1 -g -fsanitize=thread
OPT_coverage := -O0 -g --coverage -fprofile-update=atomic
OPT_asan    := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
LINK_release := -O2 -g -flto=auto
JOIN_release := -r -flinker-output=nolto-rel
LINK_dev    := -g
LINK_asan   := -fsanitize=address,undefined
LINK_tsan   := -fsanitize=thread
LINK_fuzz   := -fsanitize=fuzzer,address,undefined
LINK_coverage := --coverage

# GSL and Lua are linked from their archives, with what they ask of the C library's mathematics renamed
# to functions of harness/base/elementary.h: those have the same bits on every machine.
ELEMENTARY := acos acosh asin asinh atan atan2 atanh cbrt cos cosh exp expm1 hypot log log10 log1p log2 \
              pow sin sincos sinh tan tanh
ARCHIVES   := $(foreach a,gsl gslcblas lua5.4,$(B)/lib/lib$(a).a)

# Probed only by targets that build: `make deps` must work before any of it is installed.
PKG_CFLAGS = $(shell pkg-config --cflags gsl lua5.4 jansson sqlite3 2>/dev/null)
PKG_LIBS   = $(ARCHIVES) $(shell pkg-config --libs jansson 2>/dev/null) -lm
HDF5_CFLAGS = $(shell pkg-config --cflags hdf5 2>/dev/null)
HDF5_LIBS   = $(shell pkg-config --libs hdf5 2>/dev/null) -lhdf5_hl
CFLAGS   = -std=c17 -D_GNU_SOURCE $(WARN) $(OPT_$(VARIANT)) -ffp-contract=off -fno-math-errno -I. -I$(B)/gen $(PKG_CFLAGS)
LDLIBS   = $(PKG_LIBS) -lamd -Wl,--as-needed -lglpk -lgmp -lnettle -lsqlite3

# The families. A member is a file NAME.c that defines its type's table, `const il_problem_type il_problem_NAME`;
# whatever else lies beside members helps them. Another name in the table is a link error.
members = $(sort $(shell grep -lE '^const il_$(2)_type il_$(2)_' $(wildcard $(1)/*.c)))
PROBLEMS   := $(call members,problems,problem)
SCHEMES    := $(call members,schemes,scheme)
PROJECTORS := $(call members,schemes/projection,projector)
FORMATS    := $(call members,harness/io/formats,format)
NORMS      := $(call members,harness/measure,norm)
MAIN       := harness/cli/main.c
SOURCES    := $(sort $(filter-out $(MAIN) harness/io/hdf5/%,$(wildcard $(foreach r,problems schemes harness,$(r)/*.c $(r)/*/*.c $(r)/*/*/*.c))))
TESTS      := $(filter-out tests/bench/% tests/mutation/%,$(sort $(wildcard tests/*/*.c)))
HARNESSES  := $(patsubst tests/fuzz/fuzz_%.c,%,$(filter tests/fuzz/fuzz_%.c,$(TESTS)))
CLAIMS     := $(sort $(wildcard scripts/claims/*.lua))
LIBRARY    := $(sort $(wildcard harness/lua/library/*.lua))
# Pages of the manual that the program carries: harness/cli/topics.c.
PAGES      := README.md harness/manual/tutorial.md harness/manual/measures.md harness/manual/finding.md harness/run/README.md problems/README.md schemes/README.md \
              schemes/projection/README.md scripts/README.md scripts/claims/README.md results/README.md tests/README.md
HEADERS    := $(wildcard $(foreach r,problems schemes harness,$(r)/*.h $(r)/*/*.h $(r)/*/*/*.h))

OBJECTS      := $(SOURCES:%.c=$(B)/%.o)
MAIN_OBJECT  := $(MAIN:%.c=$(B)/%.o)
TEST_OBJECTS := $(TESTS:%.c=$(B)/%.o)
# All of the program but `main`, optimised together once: the program and the suite have the same machine code.
WHOLE        := $(if $(JOIN_$(VARIANT)),$(B)/whole.o,$(OBJECTS))
PROGRAM      := $(B)/impactlab
MODULE       := $(B)/impactlab_hdf5.so
SUITE        := $(B)/suite
GENERATED    := $(B)/gen/problems.def $(B)/gen/schemes.def $(B)/gen/projectors.def \
                $(B)/gen/formats.def $(B)/gen/norms.def $(B)/gen/suites.def $(B)/gen/harnesses.def \
                $(B)/gen/claims.inc $(B)/gen/library.inc $(B)/gen/page.inc $(B)/gen/manual.inc $(B)/gen/build_id.h $(B)/gen/provenance_built.h

.PHONY: test-store all program generated report report-pdf test-faults report-run verdicts verdicts-run coverage-orders ensembles test suite check test-asan test-report test-page test-figures \
        lint format fuzz properties coverage mutation mutation-run bench bench-full bench-reference bench-reference-full check-siconos \
        controls test-docs deps clean test-bits bits-digests second-opinion second-opinion-planted bench-constants load test-steps analyze \
        test-valgrind test-threads test-slurm test-kills hardness install uninstall dist deb manual help test-install test-bare

all: program

# ---- the two commands -------------------------------------------------------------------------

# Each script runs whatever the others did; scripts/report.sh says how a report ends. What failed is
# make's own last line: the failure of a recipe would only say "Error 1" there.
REPORT_SCRIPTS   := $(addprefix scripts/,paper.lua many.lua sweeping.lua gluey.lua impacts.lua ensembles.lua orders.lua)
VERDICTS_SCRIPTS := scripts/verdicts.lua scripts/orders.lua
RESULTS          := results

report: report-run
	@$(if $(file <$(RESULTS)/outcomes/failed),$(error $(file <$(RESULTS)/outcomes/failed)))

report-pdf: deps
	$(MAKE) --no-print-directory -j$(JOBS) program
	@$(PROGRAM) report --results $(RESULTS) --pdf $(REPORT_SCRIPTS)

report-run: deps
	$(MAKE) --no-print-directory -j$(JOBS) program
	@mkdir -p $(RESULTS)
	@$(PROGRAM) verify --json -j $(JOBS) > $(RESULTS)/verify.json || test $$? -eq 1
	@bash scripts/report.sh --make $(PROGRAM) $(RESULTS) $(JOBS) $(REPORT_SCRIPTS)

verdicts: verdicts-run
	@$(if $(file <$(RESULTS)/verdicts/outcomes/failed),$(error $(file <$(RESULTS)/verdicts/outcomes/failed)))

verdicts-run: deps
	$(MAKE) --no-print-directory -j$(JOBS) program
	@bash scripts/report.sh --make $(PROGRAM) $(RESULTS)/verdicts $(JOBS) $(VERDICTS_SCRIPTS)

# The judge of orders judged: some minutes.
STUDIES := 200

coverage-orders: deps
	$(MAKE) --no-print-directory -j$(JOBS) program
	$(PROGRAM) sweep scripts/orders.lua --results $(B)/orders -- $(STUDIES) | tee $(B)/orders.log
	@{ cat $(B)/orders/tables/orders-coverage.txt; echo; cat $(B)/orders.log; } > results/reference/orders.txt

test: deps
	$(MAKE) --no-print-directory -j$(JOBS) program suite
	$(MAKE) --no-print-directory check

deps:
	@bash scripts/install.sh

help:
	@sed -n 's/^#   //p' Makefile

# ---- installing -------------------------------------------------------------------------------

PREFIX  := /usr/local
DESTDIR :=

install: program
	@bash scripts/put.sh install $(PROGRAM) $(MODULE) '$(DESTDIR)$(PREFIX)'

uninstall:
	@bash scripts/put.sh uninstall '$(DESTDIR)$(PREFIX)'

dist:
	@bash scripts/dist.sh $(VERSION) build/impactlab-$(VERSION).tar.gz

deb: program
	@bash scripts/deb.sh $(VERSION) $(PROGRAM) $(MODULE) build/impactlab_$(VERSION)_$$(dpkg --print-architecture).deb

manual: deps
	$(MAKE) --no-print-directory -j$(JOBS) program
	@$(PROGRAM) help --html build/manual && echo "build/manual/index.html"

# ---- building ---------------------------------------------------------------------------------

program: $(PROGRAM) $(MODULE)
	@if [ $(VARIANT) = release ]; then mkdir -p build && ln -sfn release/impactlab build/impactlab; fi

suite: $(SUITE) $(MODULE)

generated: $(GENERATED)

$(B)/whole.o: $(OBJECTS)
	@echo "  link $@"
	$(Q)$(CC) $(LINK_$(VARIANT)) $(JOIN_$(VARIANT)) -o $@ $^

$(PROGRAM): $(MAIN_OBJECT) $(WHOLE) $(ARCHIVES)
	@echo "  link $@"
	$(Q)$(CC) $(LINK_$(VARIANT)) -o $@ $(filter %.o,$^) $(LDLIBS)

# HDF5 brings some thirty libraries: only runs that write .h5 files load them.
$(MODULE): harness/io/hdf5/module.c harness/io/hdf5/module.h harness/data/trajectory.h harness/io/formats/fclib.h \
           harness/io/formats/columns.h harness/data/step_problem.h $(GENERATED)
	@mkdir -p $(@D)
	@echo "  link $@"
	$(Q)$(CC) $(CFLAGS) $(HDF5_CFLAGS) -fPIC -shared -o $@ $< $(HDF5_LIBS)

$(SUITE): $(TEST_OBJECTS) $(WHOLE) $(ARCHIVES)
	@echo "  link $@"
	$(Q)$(CC) $(LINK_$(VARIANT)) -o $@ $(filter %.o,$^) $(LDLIBS) $(HDF5_LIBS) $(shell pkg-config --libs fclib 2>/dev/null) -lcholmod -lcunit -lmpfr

# GSL does not look at all that it allocates: harness/base/gsl_memory.c.
$(B)/lib/libgsl.a: RENAMED := $(foreach f,malloc calloc free,--redefine-sym $(f)=il_gsl_$(f))

$(B)/lib/%.a: Makefile
	@mkdir -p $(@D)
	$(Q)objcopy $(foreach f,$(ELEMENTARY),--redefine-sym $(f)=il_$(f)) $(RENAMED) \
	  "$$($(CC) -print-file-name=$(@F))" $@

# All harnesses of tests/fuzz in one program, VARIANT=fuzz; HARNESS names the one that runs.
$(B)/fuzz: $(B)/tests/fuzz/libfuzzer/driver.o $(filter-out $(B)/tests/fuzz/test_%,$(filter $(B)/tests/fuzz/%,$(TEST_OBJECTS))) $(OBJECTS) $(ARCHIVES)
	@echo "  link $@"
	$(Q)$(CC) $(LINK_$(VARIANT)) -o $@ $(filter %.o,$^) $(LDLIBS)

# What the benchmarks measure from inside.
$(B)/bench/projectors: $(B)/tests/bench/projectors.o $(B)/tests/bench/steps.o $(OBJECTS) $(ARCHIVES)
	@mkdir -p $(@D)
	@echo "  link $@"
	$(Q)$(CC) $(LINK_$(VARIANT)) -o $@ $(filter %.o,$^) $(LDLIBS)

$(B)/bench/factors: $(B)/tests/bench/factors.o $(B)/tests/bench/roof.o $(B)/tests/bench/steps.o $(OBJECTS) $(ARCHIVES)
	@mkdir -p $(@D)
	@echo "  link $@"
	$(Q)$(CC) $(LINK_$(VARIANT)) -o $@ $(filter %.o,$^) $(LDLIBS) -lcholmod -llapack

# Ipopt is asked where it is installed.
IPOPT_LIBS = $(shell pkg-config --libs ipopt 2>/dev/null)
$(B)/tests/bench/peers_ipopt.o: CFLAGS += $(if $(IPOPT_LIBS),-DHAVE_IPOPT $(patsubst -I%,-isystem %,$(shell pkg-config --cflags ipopt 2>/dev/null)))
$(B)/bench/peers: $(B)/tests/bench/peers.o $(B)/tests/bench/peers_ipopt.o $(B)/tests/bench/steps.o $(OBJECTS) $(ARCHIVES)
	@mkdir -p $(@D)
	@echo "  link $@"
	$(Q)$(CC) $(LINK_$(VARIANT)) -o $@ $(filter %.o,$^) $(LDLIBS) $(IPOPT_LIBS)

$(B)/bench/degenerate: $(B)/tests/bench/degenerate.o $(B)/tests/support/planted.o $(OBJECTS) $(ARCHIVES)
	@mkdir -p $(@D)
	@echo "  link $@"
	$(Q)$(CC) $(LINK_$(VARIANT)) -o $@ $(filter %.o,$^) $(LDLIBS)

# Tests read back what the module wrote. They and `main` have no part in what is optimised together.
$(TEST_OBJECTS): CFLAGS += $(HDF5_CFLAGS) $(if $(JOIN_$(VARIANT)),-O1)
$(TEST_OBJECTS) $(MAIN_OBJECT): CFLAGS += $(if $(JOIN_$(VARIANT)),-fno-lto)

$(B)/%.o: %.c $(B)/gen/toolchain | $(GENERATED)
	@mkdir -p $(@D)
	@echo "  $<"
	$(Q)$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

-include $(OBJECTS:.o=.d) $(MAIN_OBJECT:.o=.d) $(TEST_OBJECTS:.o=.d) $(wildcard $(B)/tests/bench/*.d $(B)/tests/fuzz/libfuzzer/*.d)

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
$(eval $(call LIST,$(B)/gen/norms.def,$(patsubst norm_%,%,$(basename $(notdir $(NORMS))))))
$(eval $(call LIST,$(B)/gen/suites.def,$(patsubst test_%,%,$(basename $(filter test_%,$(notdir $(TESTS)))))))

$(eval $(call LIST,$(B)/gen/harnesses.def,$(HARNESSES)))

# The claims travel inside the program, so that `verify` works from anywhere: their bytes, and a table
# of them.
# The part of the module `impactlab` that is written in Lua: harness/lua/script.c.
$(B)/gen/library.inc: FORCE
	@mkdir -p $(@D)
	@{ printf 'static const unsigned char library[] = {\n'; cat $(LIBRARY) | od -An -v -tx1 | sed 's/ \([0-9a-f][0-9a-f]\)/0x\1,/g'; \
	  printf '};\n'; } > $@.new
	@cmp -s $@ $@.new && rm $@.new || mv $@.new $@

$(B)/gen/claims.inc: FORCE
	@mkdir -p $(@D)
	@{ for f in $(CLAIMS); do \
	  printf 'static const unsigned char claim_%s[] = {\n' "$$(basename $$f .lua)"; \
	  od -An -v -tx1 $$f | sed 's/ \([0-9a-f][0-9a-f]\)/0x\1,/g'; printf '};\n'; done; \
	  printf 'static const struct { const char *name; const unsigned char *text; size_t size; } claim_files[] = {\n'; \
	  for f in $(CLAIMS); do n=$$(basename $$f .lua); \
	  printf '{"%s", claim_%s, sizeof claim_%s},\n' $$n $$n $$n; done; printf '};\n'; } > $@.new
	@cmp -s $@ $@.new && rm $@.new || mv $@.new $@

# The page's style and script, line by line, and the script's hash for the page's policy.
$(B)/gen/page.inc: harness/report/page.css harness/report/page.js harness/report/page.tex Makefile
	@mkdir -p $(@D)
	@{ for f in css js tex; do \
	  printf 'static const char *const PAGE_%s[] = {\n' "$${f^^}"; \
	  sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n",/' harness/report/page.$$f; printf 'NULL};\n'; done; \
	  printf '#define PAGE_JS_SHA256 "%s"\n' \
	    "$$(printf "$$(sha256sum harness/report/page.js | cut -c1-64 | sed 's/../\\x&/g')" | base64)"; } > $@

# The pages, byte by byte, and their style.
$(B)/gen/manual.inc: $(PAGES) harness/manual/manual.css Makefile
	@mkdir -p $(@D)
	@{ n=0; bytes() { od -An -v -tx1 "$$1" | sed 's/ \([0-9a-f][0-9a-f]\)/0x\1,/g'; printf '0};\n'; }; \
	  printf 'static const unsigned char page_style[] = {\n'; bytes harness/manual/manual.css; \
	  for f in $(PAGES); do n=$$((n + 1)); printf 'static const unsigned char page_%s[] = {\n' $$n; bytes $$f; done; \
	  printf 'static const il_page page_files[] = {\n'; n=0; \
	  for f in $(PAGES); do n=$$((n + 1)); \
	  printf '{"%s", (const char *)page_%s, sizeof page_%s - 1},\n' $$f $$n $$n; done; printf '};\n'; } > $@

# What a stored result depends on: the program's own sources, the compiler, what it is told, and the
# versions of the libraries whose numbers enter records. Another build, another key.
define VERSIONS
#include <glpk.h>
#include <gmp.h>
#include <suitesparse/amd.h>
GLP_MAJOR_VERSION GLP_MINOR_VERSION __GNU_MP_VERSION __GNU_MP_VERSION_MINOR __GNU_MP_VERSION_PATCHLEVEL AMD_VERSION
endef
export VERSIONS
# Not CFLAGS as it stands: what tests add to it would reach this file as well, and change the build.
FLAGS = -ffp-contract=off -fno-math-errno $(OPT_$(VARIANT)) $(LINK_$(VARIANT)) $(JOIN_$(VARIANT)) $(if $(filter command%,$(origin CFLAGS)),$(CFLAGS))
toolchain = { $(CC) --version | head -n 1; echo '$(FLAGS)'; \
              pkg-config --modversion gsl lua5.4 jansson hdf5; echo "$$VERSIONS" | $(CC) -E -P -x c - | tail -n 1; }

$(B)/gen/build_id.h: FORCE
	@mkdir -p $(@D)
	@printf '#define IL_VERSION "%s"\n#define IL_BUILD_ID "%s"\n' '$(VERSION)' \
	  "$$({ cat $(sort $(SOURCES) $(HEADERS)) $(CLAIMS) $(LIBRARY); $(toolchain); } | sha256sum | cut -c1-16)" > $@.new
	@cmp -s $@ $@.new && rm $@.new || mv $@.new $@

# By another compiler, other flags or libraries all is compiled anew: the build id, which says so in every key, would lie.
$(B)/gen/toolchain: FORCE
	@mkdir -p $(@D)
	@$(toolchain) > $@.new
	@cmp -s $@ $@.new && rm $@.new || mv $@.new $@

# What records say of the program beside that (harness/run/provenance.h). Not part of build_id.h, which
# another commit would change: `revision` says which sources these were, no result depends on it. Only
# this folder's own git is asked; a tarball has the revision in a file.
LIBRARIES = gsl lua5.4 jansson sqlite3 hdf5
spell     = sed 's/[\\"]/\\&/g'
define REVISION
revision=; dirty=false; \
if [ "$$(git rev-parse --show-toplevel 2>/dev/null)" = "$$(pwd -P)" ]; then \
  revision=$$(git rev-parse --short=12 HEAD 2>/dev/null); \
  git --no-optional-locks diff --quiet HEAD -- 2>/dev/null || dirty=true; \
elif [ -r REVISION ]; then revision=$$(head -c 12 REVISION); fi
endef

$(B)/gen/provenance_built.h: FORCE
	@mkdir -p $(@D)
	@$(REVISION); { printf '#define IL_BUILT_VERSION "%s"\n#define IL_BUILT_REVISION "%s"\n#define IL_BUILT_DIRTY %s\n' \
	  '$(VERSION)' "$$revision" $$dirty; \
	printf '#define IL_BUILT_COMPILER "%s"\n' "$$($(CC) --version | head -n 1 | $(spell))"; \
	printf '#define IL_BUILT_FLAGS "%s"\n' "$$(echo '$(strip $(FLAGS))' | $(spell))"; \
	printf '#define IL_BUILT_LIBRARIES "%s"\n' "$$({ for l in $(LIBRARIES); do echo $$l $$(pkg-config --modversion $$l); done; \
	  echo "$$VERSIONS" | $(CC) -E -P -x c - | tail -n 1 | sed -E 's/([0-9]+) +([0-9]+) +([0-9]+) +([0-9]+) +([0-9]+) +\(\(([0-9]+)\)[^0-9]*1000[^0-9]*([0-9]+).*/glpk \1.\2\ngmp \3.\4.\5\namd \6.\7/'; } | \
	  paste -sd, | sed 's/,/, /g' | $(spell))"; } > $@.new
	@cmp -s $@ $@.new && rm $@.new || mv $@.new $@

FORCE:

# ---- checking ---------------------------------------------------------------------------------

# The closing lines of the CUnit suite close the run.
check: program suite
	IMPACTLAB=$(PROGRAM) BITS=$(if $(filter asan,$(VARIANT)),no,yes) bash tests/all.sh $(SUITE)

# What the pages say that the program prints (also a part of check), and the skeletons in them.
test-docs: deps
	$(MAKE) --no-print-directory -j$(JOBS) program
	IMPACTLAB=$(PROGRAM) bash tests/house/documents.sh
	bash tests/house/skeletons.sh

# A cluster of this machine's own, with a key and ports of its own; two minutes.
test-slurm: deps
	@bash scripts/install.sh slurm
	$(MAKE) --no-print-directory -j$(JOBS) program
	set -o pipefail; IMPACTLAB=$(PROGRAM) bash tests/slurm/slurm.sh $(if $(UPDATE),| bash tests/load/note.sh slurm)

# Minutes, as the tarball is built.
test-install: deps
	$(MAKE) --no-print-directory -j$(JOBS) program
	IMPACTLAB=$(PROGRAM) bash tests/house/installed.sh --all

test-bare:
	bash tests/house/bare.sh

# What `make test` tries a sample of: IMPACTLAB_FAULTS. Allocations by the same path of calls fail alike:
# EVERY=1 tries each all the same. FAULTS="limits are whole": a part, by the name of a test of that suite.
# Lua orders its tables by addresses: only where these stay is the k-th allocation the same again.
FAULTS := faults
STAY   = $(shell setarch -R true 2>/dev/null && echo setarch -R)

test-faults: deps
	$(MAKE) --no-print-directory -j$(JOBS) program suite
	set -o pipefail; IMPACTLAB_FAULTS=$(if $(EVERY),all,paths) $(STAY) $(SUITE) '$(FAULTS)' $(if $(UPDATE),| bash tests/cli/faults_note.sh)

# 200 kills at random moments, one before every write of a sweep, and a full disk.
test-kills: deps
	$(MAKE) --no-print-directory -j$(JOBS) program suite
	set -o pipefail; { IMPACTLAB=$(PROGRAM) bash tests/cli/kills.sh 200 && IMPACTLAB_KILLS=all $(SUITE) kills; } \
	  $(if $(UPDATE),| bash tests/load/note.sh kills)

LOAD_SECONDS := 3600
LOAD_SEED    := 1

load: deps
	$(MAKE) --no-print-directory -j$(JOBS) program
	IMPACTLAB=$(PROGRAM) LOAD_SECONDS=$(LOAD_SECONDS) LOAD_SEED=$(LOAD_SEED) bash tests/load/load.sh

test-store: deps
	$(MAKE) --no-print-directory -j$(JOBS) program
	set -o pipefail; IMPACTLAB=$(PROGRAM) bash tests/load/store.sh $(if $(UPDATE),| bash tests/load/note.sh "stored runs")

test-steps: deps
	$(MAKE) --no-print-directory -j$(JOBS) program
	$(PROGRAM) sweep tests/load/steps.lua --results $(B)/steps

# With -flto the compiler analyses nothing before the program is linked.
analyze: deps $(GENERATED)
	@ANALYZE="$(ANALYZE)" bash scripts/analyze.sh $(JOBS) $(CC) $(filter-out -Werror -flto%,$(CFLAGS)) $(HDF5_CFLAGS)

test-valgrind:
	@bash scripts/install.sh valgrind
	$(MAKE) --no-print-directory -j$(JOBS) VARIANT=dev program
	IMPACTLAB=build/dev/impactlab bash tests/cli/valgrind.sh

hardness:
	@bash scripts/hardness.sh $(if $(UPDATE),--update)

test-asan: deps
	$(MAKE) --no-print-directory -j$(JOBS) VARIANT=asan program suite
	$(MAKE) --no-print-directory VARIANT=asan check

# Runs that just share all that is shared (tests/run/test_threads.c).
test-threads: deps
	$(MAKE) --no-print-directory -j$(JOBS) VARIANT=tsan suite
	@for word in team search threads; do build/tsan/suite $$word || exit 1; done

# FUZZ_RUNS=1000000 FUZZ_SECONDS=3600 for a long one; FUZZ="search values" for some.
FUZZ_RUNS    := 2000
FUZZ_SECONDS := 600
FUZZ_SEED    := 1
FUZZ         := $(HARNESSES)

fuzz:
	@bash scripts/install.sh fuzz
	$(MAKE) --no-print-directory -j$(JOBS) VARIANT=fuzz CC=clang build/fuzz/fuzz
	@bash tests/fuzz/fuzz.sh build/fuzz/fuzz $(FUZZ_RUNS) $(FUZZ_SECONDS) $(FUZZ_SEED) $(FUZZ)

# Random inputs, TRIES for each quick harness, without instruments.
TRIES := 1000000

properties: deps
	$(MAKE) --no-print-directory -j$(JOBS) suite
	set -o pipefail; TRIES=$(TRIES) $(SUITE) properties $(if $(UPDATE),| bash tests/fuzz/note.sh)

# What the suites but those execute of the three rooms: results/reference/coverage.txt with UPDATE=1.
COVERAGE_WITHOUT := faults kills
COVERAGE_SECONDS := 60
COVERAGE_SCRIPT  := 300

coverage:
	@bash scripts/install.sh coverage
	$(MAKE) --no-print-directory -j$(JOBS) VARIANT=coverage program suite
	@JOBS=$(JOBS) COVERAGE_WITHOUT="$(COVERAGE_WITHOUT)" COVERAGE_SECONDS=$(COVERAGE_SECONDS) COVERAGE_SCRIPT=$(COVERAGE_SCRIPT) \
	  bash tests/mutation/coverage.sh build/coverage

# One wrong token at a time in numerical files, each seen by a test: tests/mutation. MUTATE="problems/corner.c"
# for some files; results/reference/mutation.txt with UPDATE=1.
MUTATION_SEED := 1
PER_FILE      := 2
NUMERICAL     := $(filter schemes/% problems/% harness/measure/% harness/reference/% harness/study/%,$(SOURCES))
MUTATE        := $(filter-out %_text.c schemes/scheme.c schemes/stepping/failure.c,$(NUMERICAL))

mutation: deps
	$(MAKE) --no-print-directory -j$(JOBS) VARIANT=dev program suite
	$(MAKE) --no-print-directory VARIANT=dev mutation-run

mutation-run: export CC := $(CC)
mutation-run: export MUTATION_FLAGS = $(CFLAGS)
mutation-run: export MUTATION_LIBS = $(LDLIBS) $(HDF5_LIBS) $(shell pkg-config --libs fclib 2>/dev/null) -lcholmod -lcunit -lmpfr
mutation-run: export OBJECTS := $(OBJECTS)
mutation-run: export TEST_OBJECTS := $(TEST_OBJECTS)
mutation-run: export B := $(B)
mutation-run: export JOBS := $(JOBS)
mutation-run:
	@set -o pipefail; bash tests/mutation/mutation.sh $(MUTATION_SEED) $(PER_FILE) $(MUTATE) | \
	  tee $(if $(UPDATE),results/reference/mutation.txt)

# The table that texts quote: larger ensembles than a report has time for, about half an hour.
ensembles: deps
	$(MAKE) --no-print-directory -j$(JOBS) program
	$(PROGRAM) sweep scripts/ensembles.lua -j $(JOBS) --results $(RESULTS)/ensembles -- full
	cp $(RESULTS)/ensembles/tables/ensembles.csv $(RESULTS)/ensembles/tables/ensembles.txt results/reference/

# A false check in every script of the program, and what the page then says: some minutes.
test-report: deps
	$(MAKE) --no-print-directory -j$(JOBS) program
	IMPACTLAB=$(PROGRAM) JOBS=$(JOBS) bash tests/report/planted.sh --shipped

# In a browser, which nobody has to install: the page's script, its policy, three widths, print.
test-page: deps
	$(MAKE) --no-print-directory -j$(JOBS) program
	IMPACTLAB=$(PROGRAM) bash tests/report/page.sh

# What a legend hides is seen in the picture without it.
test-figures:
	@bash scripts/install.sh figures
	$(MAKE) --no-print-directory -j$(JOBS) program
	IMPACTLAB=$(PROGRAM) bash tests/report/figures.sh

# Builds that must not differ. A second compiler where one is installed.
BITS := release O0 O3 $(if $(shell command -v clang 2>/dev/null),clang)

test-bits: deps
	$(foreach v,$(BITS),$(MAKE) --no-print-directory -j$(JOBS) VARIANT=$(v) $(if $(filter clang,$(v)),CC=clang) program &&) true
	bash tests/bits/bits.sh $(BITS:%=build/%/impactlab)
	bash tests/bits/verdicts.sh $(BITS:%=build/%/impactlab)
	$(MAKE) --no-print-directory -j$(JOBS) VARIANT=dev program
	bash tests/bits/planted.sh build/dev

# After a change that is meant to change results: look at them first.
bits-digests: deps
	$(MAKE) --no-print-directory -j$(JOBS) program
	bash tests/bits/bits.sh --update build/release/impactlab

lint:
	bash scripts/lint.sh

format:
	clang-format -i $$(git ls-files '*.c' '*.h')

bench bench-full bench-reference bench-reference-full: deps
	$(MAKE) --no-print-directory -j$(JOBS) program $(B)/bench/projectors $(B)/bench/factors $(B)/bench/peers
	bash scripts/bench.sh $(if $(findstring reference,$@),--reference) $(if $(findstring full,$@),--full)

# What other values of the tuned constants would cost: half an hour; results/reference/constants.txt.
bench-constants: deps
	bash scripts/bench_constants.sh --reference

# Siconos solves step problems that the program wrote; skipped where it is not installed.
check-siconos: deps
	$(MAKE) --no-print-directory -j$(JOBS) program
	bash scripts/bench_siconos.sh --check
	/usr/bin/python3 scripts/siconos_moreau_jean.py $(PROGRAM)

# Wrong inputs that must make each claim fail: status 1 if one does not.
controls: deps
	$(MAKE) --no-print-directory -j$(JOBS) program
	build/impactlab verify --controls -j $(JOBS)

# Other methods, no code of ours: a minute or two. --planted falsifies our numbers, five times as long:
# every kind of comparison must see it.
second-opinion second-opinion-planted:
	@bash scripts/install.sh second
	$(MAKE) --no-print-directory -j$(JOBS) program
	/usr/bin/python3 tests/second --program $(PROGRAM) $(if $(findstring planted,$@),--planted)

clean:
	rm -rf build
