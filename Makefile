# impactlab - see README.md. Everything is built under build/. `make help` lists the targets.

SHELL := /bin/bash
.DELETE_ON_ERROR:
.SUFFIXES:
# make V=1 prints whole commands.
Q := $(if $(V),,@)

# `make`, `make program` and `make suite` build without link-time optimisation: a change is compiled in
# seconds. All other targets use the optimised build. VARIANT=release|dev|asan|... says otherwise.
QUICK   := all program suite library generated
VARIANT ?= $(if $(filter-out $(QUICK),$(MAKECMDGOALS)),release,dev)
CC      := gcc
B       := build/$(VARIANT)
JOBS    := $(shell nproc)
VERSION := 0.1.0
BUILD    = @$(MAKE) --no-print-directory -j$(JOBS) VARIANT=$(VARIANT)

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
        -Wmissing-prototypes -Wvla -Wformat=2 -Werror
OPT_release := -O2 -g -flto=auto
OPT_dev     := -O1 -g
OPT_O0      := -O0 -g
# gcc 12 takes an array that is set to zero for uninitialised where masked vectors read it.
OPT_O3      := -O3 -march=native -g -Wno-error=maybe-uninitialized
OPT_clang   := -O2 -g
OPT_tsan    := -O1 -g -fsanitize=thread
OPT_asan    := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
LINK_release := -O2 -g -flto=auto
JOIN_release := -r -flinker-output=nolto-rel
LINK_dev    := -g
LINK_asan   := -fsanitize=address,undefined
LINK_tsan   := -fsanitize=thread

# GSL, Lua and cmark are linked from their archives, with what they ask of the C library's mathematics renamed
# to functions of harness/base/elementary.h: those have the same bits on every machine.
ELEMENTARY := acos acosh asin asinh atan atan2 atanh cbrt cos cosh exp expm1 hypot log log10 log1p log2 \
              pow sin sincos sinh tan tanh
ARCHIVES   := $(foreach a,gsl gslcblas lua5.4 cmark-gfm-extensions cmark-gfm,$(B)/lib/lib$(a).a)

# Probed only by targets that build: `make deps` must work before any of it is installed.
PKG_CFLAGS = $(shell pkg-config --cflags gsl lua5.4 jansson sqlite3 2>/dev/null)
PKG_LIBS   = $(ARCHIVES) $(shell pkg-config --libs jansson 2>/dev/null) -lm
HDF5_CFLAGS = $(shell pkg-config --cflags hdf5 2>/dev/null)
HDF5_LIBS   = $(shell pkg-config --libs hdf5 2>/dev/null) -lhdf5_hl
CFLAGS   = -std=c17 -D_GNU_SOURCE $(WARN) $(OPT_$(VARIANT)) -ffp-contract=off -fno-math-errno -I. -I$(B)/gen $(PKG_CFLAGS)
SUITE_LIBS = $(HDF5_LIBS) $(shell pkg-config --libs fclib 2>/dev/null) -lcholmod -lcunit -lmpfr
LDLIBS   = $(PKG_LIBS) -lamd -Wl,--as-needed -lglpk -lgmp -lnettle -lsqlite3

# The families. A member is a file NAME.c that defines its type's table, `const il_problem_type il_problem_NAME`;
# whatever else lies beside members helps them. Another name in the table is a link error.
members = $(sort $(shell grep -lE '^const il_$(2)_type il_$(2)_' $(wildcard $(1)/*.c)))
PROBLEMS   := $(call members,problems,problem)
SCHEMES    := $(call members,schemes,scheme)
PROJECTORS := $(call members,schemes/projection,projector)
FORMATS    := $(call members,harness/io/formats,format)
NORMS      := $(sort $(shell sed -n 's/^const il_norm_type il_norm_\([A-Za-z0-9_]*\) = .*/\1/p' $(wildcard harness/measure/*.c)))
MAIN       := harness/cli/main.c
SOURCES    := $(sort $(filter-out $(MAIN) harness/io/hdf5/%,$(wildcard $(foreach r,problems schemes harness,$(r)/*.c $(r)/*/*.c $(r)/*/*/*.c))))
TESTS      := $(filter-out tests/bench/%,$(sort $(wildcard tests/*/*.c)))
CLAIMS     := $(sort $(wildcard scripts/claims/*.lua))
LIBRARY    := $(sort $(wildcard harness/lua/library/*.lua)) $(sort $(wildcard scripts/board/*.lua))
# Pages of the manual that the program carries: harness/cli/topics.c.
PAGES      := README.md harness/manual/tutorial.md harness/manual/measures.md harness/manual/finding.md harness/manual/exec.md harness/manual/board.md harness/run/README.md harness/judge/README.md harness/library/README.md problems/README.md schemes/README.md \
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
                $(B)/gen/formats.def $(B)/gen/norms.def $(B)/gen/suites.def \
                $(B)/gen/claims.inc $(B)/gen/library.inc $(B)/gen/page.inc $(B)/gen/manual.inc $(B)/gen/build_id.h $(B)/gen/provenance_built.h

.PHONY: all program suite library generated report report-run verdicts verdicts-run test check controls \
        test-docs lint format bench bench-full install uninstall dist deb wheel manual help help-all deps clean FORCE

all: program

# ---- the two commands -------------------------------------------------------------------------

#: report         install what is missing, build, run the catalogue, draw results/
#: test           install what is missing, build, run the suite

# Each script runs whatever the others did; scripts/report.sh says how a report ends. What failed is
# make's own last line: the failure of a recipe would only say "Error 1" there.
REPORT_SCRIPTS   := $(addprefix scripts/,ensembles.lua paper.lua impacts.lua many.lua schemes.lua sweeping.lua gluey.lua laws.lua atlas.lua external/beside.lua)
VERDICTS_SCRIPTS := scripts/verdicts.lua scripts/orders.lua
RESULTS          := results

report: report-run
	@$(if $(file <$(RESULTS)/outcomes/failed),$(error $(file <$(RESULTS)/outcomes/failed)))

report-run: deps
	$(BUILD) program
	@mkdir -p $(RESULTS)
	@$(PROGRAM) verify --json -j $(JOBS) > $(RESULTS)/verify.json || test $$? -eq 1
	@bash scripts/report.sh --make $(PROGRAM) $(RESULTS) $(JOBS) $(REPORT_SCRIPTS)

test: deps
	$(BUILD) program suite $(if $(filter asan,$(VARIANT)),,$(LIBRARY_FILE))
	$(BUILD) check

# The closing lines of the CUnit suite close the run.
check: program suite
	IMPACTLAB=$(PROGRAM) BITS=$(if $(filter asan,$(VARIANT)),no,yes) bash tests/all.sh $(SUITE)

#: all            build/impactlab for work on it, in seconds after a change; packages must be there
#: deps           install the Debian packages and no more
deps:
	@bash scripts/install.sh

#: verdicts       orders, work-precision, distances, drift: results/verdicts/report/index.html
verdicts: verdicts-run
	@$(if $(file <$(RESULTS)/verdicts/outcomes/failed),$(error $(file <$(RESULTS)/verdicts/outcomes/failed)))

verdicts-run: deps
	$(BUILD) program
	@bash scripts/report.sh --make $(PROGRAM) $(RESULTS)/verdicts $(JOBS) $(VERDICTS_SCRIPTS)

#: board          every scheme, and the engines of make engines, asked the same: results/board/index.html
board: deps
	$(BUILD) program
	@mkdir -p $(RESULTS)
	@bash scripts/board.sh $(PROGRAM) $(RESULTS)/board $(JOBS) build/engines > $(RESULTS)/board.txt
	@tail -n 1 $(RESULTS)/board.txt

#: controls       wrong inputs that must make each claim fail
controls: deps
	$(BUILD) program
	$(PROGRAM) verify --controls -j $(JOBS)

# ---- looking at the sources, the pages and the times ----------------------------------------------

#: lint           clang-format, clang-tidy, cppcheck, who includes whom, sizes
lint:
	bash scripts/lint.sh

#+ format         clang-format over all C files
format:
	clang-format -i $$(git ls-files '*.c' '*.h')

#: test-docs      every session and skeleton in the pages, run
test-docs: deps
	$(BUILD) program
	IMPACTLAB=$(PROGRAM) bash tests/house/documents.sh
	bash tests/house/skeletons.sh

#: bench          ratios of times within one run; bench-full, bench-reference: see scripts/bench.sh
bench bench-full bench-reference bench-reference-full: deps
	$(BUILD) program $(BENCHES)
	bash scripts/bench.sh $(if $(findstring reference,$@),--reference) $(if $(findstring full,$@),--full)

#: library        build/release/libimpactlab.so: impactlab from C and Python, as make install puts it
library:
	$(BUILD) $(LIBRARY_FILE)

#: help-all       all targets
help:
	@sed -n 's/^#: /  make /p' Makefile

help-all:
	@sed -n 's/^#[:+]  /         /p; t; s/^#[:+] /  make /p' Makefile tests/checks.mk

clean:
	rm -rf build

# ---- installing -------------------------------------------------------------------------------

PREFIX  := /usr/local
DESTDIR :=

#: install        PREFIX=/usr/local DESTDIR=; uninstall removes it
install: program library
	@bash scripts/put.sh install $(PROGRAM) $(MODULE) '$(DESTDIR)$(PREFIX)' $(VERSION)

uninstall:
	@bash scripts/put.sh uninstall '$(DESTDIR)$(PREFIX)'

#: dist, deb      build/impactlab-VERSION.tar.gz; build/impactlab_VERSION_ARCH.deb
dist:
	@bash scripts/dist.sh $(VERSION) build/impactlab-$(VERSION).tar.gz

deb: program library
	@bash scripts/deb.sh $(VERSION) $(PROGRAM) $(MODULE) build/impactlab_$(VERSION)_$$(dpkg --print-architecture).deb

#: wheel          build/impactlab-VERSION-*.whl: program, library and Python package for pip
WHEELS := build
wheel: $(addprefix $(B)/wheel/,impactlab impactlab_hdf5.so libimpactlab.so.0)
	@python3 harness/library/python/wheel.py $< $(VERSION) $(WHEELS)

#: manual         the manual for a browser: build/manual/index.html
manual: deps
	$(BUILD) program
	@$(PROGRAM) help --html build/manual && echo "build/manual/index.html"

# ---- building ---------------------------------------------------------------------------------

program: $(PROGRAM) $(MODULE)
	@ln -sfn $(VARIANT)/impactlab build/impactlab

suite: $(SUITE) $(MODULE)

generated: $(GENERATED)

# The library is compiled for itself, as code that may lie anywhere; of GSL's archives what prints goes to
# streams of our own. It exports what harness/library/impactlab.h declares.
LIBRARY_FILE    := $(B)/libimpactlab.so.0
LIBRARY_SOURCES := $(filter-out harness/lua/% harness/cli/% harness/report/% harness/results/% harness/manual/% \
                   harness/study/%,$(SOURCES)) $(filter harness/study/order/%,$(SOURCES))
LIBRARY_OBJECTS := $(LIBRARY_SOURCES:%.c=$(B)/pic/%.o)

$(B)/pic/%.o: %.c $(B)/gen/toolchain | $(GENERATED)
	@mkdir -p $(@D)
	@echo "  $< (library)"
	$(Q)$(CC) $(CFLAGS) -fno-lto -fPIC -fvisibility=hidden -DIL_LIBRARY -MMD -MP -c -o $@ $<

$(B)/pic/lib/%.a: $(B)/lib/%.a
	@mkdir -p $(@D)
	$(Q)objcopy --redefine-sym stderr=il_gsl_stderr --redefine-sym stdout=il_gsl_stdout $< $@

$(LIBRARY_FILE) $(B)/wheel/$(notdir $(LIBRARY_FILE)): $(LIBRARY_OBJECTS) $(B)/pic/lib/libgsl.a $(B)/pic/lib/libgslcblas.a harness/library/impactlab.map
	@mkdir -p $(@D)
	@echo "  link $@"
	$(Q)$(CC) -shared -o $@ $(NEEDED) -Wl,-soname,$(@F) -Wl,--version-script=harness/library/impactlab.map -Wl,-Bsymbolic -Wl,--no-undefined \
	  $(filter %.o %.a,$^) $(shell pkg-config --libs jansson 2>/dev/null) -lm -lamd -Wl,--as-needed -lglpk -lgmp -lnettle
	@ln -sfn $(@F) $(@D)/libimpactlab.so

$(B)/whole.o: $(OBJECTS)
	@echo "  link $@"
	$(Q)$(CC) $(LINK_$(VARIANT)) $(JOIN_$(VARIANT)) -o $@ $^

# What goes into a wheel looks for libraries inside of it; RPATH, as they do in turn.
$(B)/wheel/%: NEEDED = -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/needed:$$ORIGIN/../needed:$$ORIGIN/../lib/needed'

$(PROGRAM) $(B)/wheel/impactlab: $(MAIN_OBJECT) $(WHOLE) $(ARCHIVES)
	@mkdir -p $(@D)
	@echo "  link $@"
	$(Q)$(CC) $(LINK_$(VARIANT)) $(NEEDED) -o $@ $(filter %.o,$^) $(LDLIBS)

# HDF5 brings some thirty libraries: only runs that write .h5 files load them.
$(MODULE) $(B)/wheel/$(notdir $(MODULE)): harness/io/hdf5/module.c harness/io/hdf5/module.h
	@mkdir -p $(@D)
	@echo "  link $@"
	$(Q)$(CC) $(NEEDED) $(CFLAGS) $(HDF5_CFLAGS) -fPIC -shared -o $@ $(filter %.c,$^) $(HDF5_LIBS)

$(SUITE): $(TEST_OBJECTS) $(WHOLE) $(ARCHIVES)
	@echo "  link $@"
	$(Q)$(CC) $(LINK_$(VARIANT)) -o $@ $(filter %.o,$^) $(LDLIBS) $(SUITE_LIBS)


$(B)/lib/%.a: Makefile
	@mkdir -p $(@D)
	$(Q)objcopy $(foreach f,$(ELEMENTARY),--redefine-sym $(f)=il_$(f)) \
	  "$$($(CC) -print-file-name=$(@F))" $@

# Tests read back what the module wrote. They and `main` have no part in what is optimised together.
$(TEST_OBJECTS): CFLAGS += $(HDF5_CFLAGS) $(if $(JOIN_$(VARIANT)),-O1)
$(TEST_OBJECTS) $(MAIN_OBJECT): CFLAGS += $(if $(JOIN_$(VARIANT)),-fno-lto)

$(B)/%.o: %.c $(B)/gen/toolchain | $(GENERATED)
	@mkdir -p $(@D)
	@echo "  $<"
	$(Q)$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

-include $(LIBRARY_OBJECTS:.o=.d) $(OBJECTS:.o=.d) $(MAIN_OBJECT:.o=.d) $(TEST_OBJECTS:.o=.d)

# Generated files: scripts/generate.sh replaces one only where it changes; the compiler's own notes (-MMD)
# say which objects include it, so that a member that is deleted leaves the program and one that is added
# enters it. A misspelt name is a link error.
# FLAGS: not CFLAGS as it stands, to which tests add: the build id would change.
FLAGS  = $(strip -ffp-contract=off -fno-math-errno $(OPT_$(VARIANT)) $(LINK_$(VARIANT)) $(JOIN_$(VARIANT)) \
         $(if $(filter command%,$(origin CFLAGS)),$(CFLAGS)))
GENERATE = @CC='$(CC)' FLAGS='$(FLAGS)' VERSION='$(VERSION)' bash scripts/generate.sh $@

$(B)/gen/%.def: FORCE
	$(GENERATE) list $(LIST_$*)
LIST_problems   := $(basename $(notdir $(PROBLEMS)))
LIST_schemes    := $(basename $(notdir $(SCHEMES)))
LIST_projectors := $(basename $(notdir $(PROJECTORS)))
LIST_formats    := $(patsubst format_%,%,$(basename $(notdir $(FORMATS))))
LIST_norms      := $(NORMS)
LIST_suites     := $(patsubst test_%,%,$(basename $(filter test_%,$(notdir $(TESTS)))))

$(B)/gen/library.inc: FORCE
	$(GENERATE) library $(LIBRARY)

# The claims travel inside the program, so that `verify` works from anywhere.
$(B)/gen/claims.inc: FORCE
	$(GENERATE) claims $(CLAIMS)

$(B)/gen/page.inc: FORCE
	$(GENERATE) page harness/report

$(B)/gen/manual.inc: FORCE
	$(GENERATE) manual harness/manual/manual.css $(PAGES)

$(B)/gen/build_id.h: FORCE
	$(GENERATE) build_id $(sort $(SOURCES) $(HEADERS)) $(CLAIMS) $(LIBRARY)

# By another compiler, other flags or libraries all is compiled anew.
$(B)/gen/toolchain: FORCE
	$(GENERATE) toolchain

$(B)/gen/provenance_built.h: FORCE
	$(GENERATE) provenance

FORCE:

include tests/checks.mk
