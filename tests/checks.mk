# checks.mk - the targets that take minutes to hours, or need packages of their own, and what only they
# build. Included by the Makefile; `make help-all` lists them.

.PHONY: coverage-orders coverage-judge test-install test-bare test-container test-steps test-asan test-threads \
        properties \
        ensembles test-page test-figures test-bits bits-digests bench-constants check-siconos \
        second-opinion second-opinion-planted contact-test-set motion-test-set engines engines-deps board

# ---- reports ----------------------------------------------------------------------------------

#+ coverage-orders  the judge of orders judged, STUDIES=200 a line: results/reference/orders.txt
STUDIES := 200

coverage-orders: deps
	$(BUILD) program
	$(PROGRAM) sweep scripts/orders.lua --results $(B)/orders -- $(STUDIES) | tee $(B)/orders.log
	@{ cat $(B)/orders/tables/orders-coverage.txt; echo; cat $(B)/orders/tables/orders-high.txt; echo; cat $(B)/orders.log; } > results/reference/orders.txt

#+ coverage-judge  the judge of trajectories judged, on MOTIONS=5000 right ones and planted faults, drawn by SEED=1: results/reference/judge.txt
MOTIONS := 5000

coverage-judge: deps
	$(BUILD) suite
	bash scripts/coverage_judge.sh $(SUITE) $(MOTIONS) $(or $(SEED),1) results/reference/judge.txt

#+ ensembles      crowds and piles over many starts, for results/reference: half an hour
ensembles: deps
	$(BUILD) program
	$(PROGRAM) sweep scripts/ensembles.lua -j $(JOBS) --results $(RESULTS)/ensembles -- full
	cp $(RESULTS)/ensembles/tables/ensembles.csv $(RESULTS)/ensembles/tables/ensembles.txt results/reference/

#+ test-page      the page of a report in Chromium, where that is installed
test-page: deps
	$(BUILD) program
	IMPACTLAB=$(PROGRAM) bash tests/report/page.sh

#+ test-figures   no legend of the report covers what is drawn, fonts are embedded: after make report
test-figures:
	@bash scripts/install.sh figures
	$(BUILD) program
	IMPACTLAB=$(PROGRAM) bash tests/report/figures.sh

# ---- installations ----------------------------------------------------------------------------

#+ test-install   the program installed, moved, copied alone; the tarball built, the package: minutes
test-install: deps
	$(BUILD) program
	IMPACTLAB=$(PROGRAM) bash tests/house/installed.sh --all

#+ test-bare      a bare Debian 12: both commands, the tutorial, the installation: root, debootstrap
test-bare:
	bash tests/house/bare.sh

#+ test-container  the container file built by buildah, its image tried: root, buildah, ten minutes
test-container:
	bash tests/house/container.sh

# ---- long runs ------------------------------------------------------------------------------------

#+ test-steps     ten million steps of a few problems, and what must hold after them: minutes
test-steps: deps
	$(BUILD) program
	$(PROGRAM) sweep tests/bench/steps.lua --results $(B)/steps

# ---- instruments ------------------------------------------------------------------------------

#+ test-asan      the suite under address and undefined-behaviour sanitizers
test-asan:
	@$(MAKE) --no-print-directory VARIANT=asan test

#+ test-threads   what threads share, under the thread sanitizer: minutes
test-threads: deps
	$(BUILD) VARIANT=tsan suite
	@for word in team search threads; do build/tsan/suite $$word || exit 1; done

#+ properties     TRIES=1000000 random inputs for each property of tests/random
TRIES := 1000000

properties: deps
	$(BUILD) suite
	TRIES=$(TRIES) $(SUITE) properties

#+ test-bits      the same bits and verdicts by gcc -O0, -O2, -O3 -march=native, clang -O2, every C library variant
BITS := release O0 O3 $(if $(shell command -v clang 2>/dev/null),clang)

test-bits: deps
	$(foreach v,$(BITS),$(MAKE) --no-print-directory -j$(JOBS) VARIANT=$(v) $(if $(filter clang,$(v)),CC=clang) program &&) true
	bash tests/bits/bits.sh $(BITS:%=build/%/impactlab)
	bash tests/bits/verdicts.sh $(BITS:%=build/%/impactlab)
	$(BUILD) VARIANT=dev program
	bash tests/bits/planted.sh build/dev

#+ bits-digests   the digests renewed, after a change that is meant to change results
bits-digests: deps
	$(BUILD) program
	bash tests/bits/bits.sh --update $(PROGRAM)

# ---- other programs ---------------------------------------------------------------------------

#+ bench-constants  what other values of the tuned constants would cost: half an hour
bench-constants: deps
	bash scripts/bench_constants.sh --reference

#+ check-siconos  Siconos solves our step problems and runs moreau_jean beside us, where installed
check-siconos: deps
	$(BUILD) program
	bash scripts/bench_siconos.sh --check
	/usr/bin/python3 scripts/siconos_moreau_jean.py $(PROGRAM)

#+ engines        build/engines/NAME: an adapter, for exec:, of each physics engine that is installed
engines: deps
	@bash scripts/external/engines/build.sh build/engines

#+ engines-deps   install ODE, Bullet, MuJoCo, Box2D, Chipmunk, DART, Simbody, LIGGGHTS, YADE (Debian); Jolt, Rapier,
#+                PhysX, Havok, cannon-es, Planck, p2, Matter (npm, where it is)
ENGINES_NPM := jolt-physics@1.1.0 @dimforge/rapier2d-compat@0.21.0 @dimforge/rapier3d-compat@0.21.0 physx-js-webidl@2.7.3 \
    @babylonjs/havok@1.3.14 cannon-es@0.20.0 planck@1.5.0 p2@0.7.1 matter-js@0.20.0

engines-deps:
	@bash scripts/install.sh engines
	@mkdir -p build/engines
	@! command -v npm > /dev/null || npm install --silent --prefix build/engines $(ENGINES_NPM)

#+ contact-test-set  thirty hard step problems in FCLib's format: results/contact-test-set
contact-test-set: deps
	$(BUILD) program
	bash scripts/contact_test_set.sh $(PROGRAM) $(RESULTS)/contact-test-set

#+ motion-test-set  22 exact motions with their impacts, as JSON and CSV: results/motion-test-set
motion-test-set: deps
	$(BUILD) program
	@mkdir -p $(RESULTS)/motion-test-set
	$(PROGRAM) sweep scripts/motion_test_set.lua --trust --results $(B)/motion-test-set -- $(RESULTS)/motion-test-set $(PROGRAM)
	cd $(RESULTS)/motion-test-set && sha256sum *.json *.csv > SHA256SUMS

#+ second-opinion  the record's numbers computed anew in Python, without our code: tests/second;
#+                second-opinion-planted: with ours falsified, which must be seen
second-opinion second-opinion-planted:
	@bash scripts/install.sh second
	$(BUILD) program
	/usr/bin/python3 tests/second --program $(PROGRAM) $(if $(findstring planted,$@),--planted)

# ---- what only these build ----------------------------------------------------------------------

# What the benchmarks measure from inside. Ipopt is asked where it is installed.
BENCHES    := $(B)/bench/projectors $(B)/bench/factors $(B)/bench/peers
IPOPT_LIBS  = $(shell pkg-config --libs ipopt 2>/dev/null)
$(B)/tests/bench/peers_ipopt.o: CFLAGS += $(if $(IPOPT_LIBS),-DHAVE_IPOPT $(patsubst -I%,-isystem %,$(shell pkg-config --cflags ipopt 2>/dev/null)))
$(B)/bench/factors: BENCH_LIBS = -lcholmod
$(B)/bench/peers: BENCH_LIBS = $(IPOPT_LIBS)
$(B)/bench/projectors $(B)/bench/factors $(B)/bench/peers: $(B)/tests/bench/steps.o
$(B)/bench/peers: $(B)/tests/bench/peers_ipopt.o $(B)/tests/bench/peers_first_order.o
$(B)/bench/degenerate: $(B)/tests/support/planted.o

$(BENCHES) $(B)/bench/degenerate: $(B)/bench/%: $(B)/tests/bench/%.o $(OBJECTS) $(ARCHIVES)
	@mkdir -p $(@D)
	@echo "  link $@"
	$(Q)$(CC) $(LINK_$(VARIANT)) -o $@ $(filter %.o,$^) $(LDLIBS) $(BENCH_LIBS)

-include $(wildcard $(B)/tests/bench/*.d)
