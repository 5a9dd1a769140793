#!/usr/bin/env bash
# engines.sh - physics engines as schemes of `exec:` (scripts/external/engines), those that are installed:
# the judge finds their start, mass, gravity and shift right, and presets make their steps.
# IMPACTLAB names the program. Without an engine this says so and passes.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

said=$(bash scripts/external/engines/build.sh "$work/engines")
verdict_if $? "adapters of what is installed compile" <(echo "$said")
echo "$said" | grep 'not installed' | sed 's/^/  /'
[ -n "$(ls "$work/engines")" ] || { echo "engines.sh: no engine is installed, nothing to check"; conclude; }

declare -A dimensions=([ode]=3 [bullet]=3 [mujoco]=3 [box2d]=2 [chipmunk]=2)
scheme_of() { # scheme_of ENGINE [OPTION...]: a Chipmunk velocity holds on the step that follows
    local engine=$1
    shift
    [ "$engine" = chipmunk ] && echo "exec:between=constant:$work/engines/chipmunk $*" || echo "exec:$work/engines/$engine $*"
}

# What an adapter may get wrong is what the judge looks at first; the restitution is the engine's own.
wrong='another (start|mass|gravity)|lag|late|early|shift|unit|order|sign'
judged() { # judged ENGINE PROBLEM...
    local engine=$1
    shift
    "$program" run --problem "$@" --scheme "$(scheme_of "$engine")" --steps 200 > "$work/said" 2>&1
    verdict_if $? "$engine makes $1" "$work/said"
    verdict "$engine, $1: start, mass, gravity, shift" "$(grep -E "found: ($wrong)" "$work/said")"
}
for engine in "${!dimensions[@]}"; do
    [ -x "$work/engines/$engine" ] || continue
    judged "$engine" bouncing_ball --set u0=1
    judged "$engine" cradle --set N=1 --set gap=0.29
    judged "$engine" sticky --set N=5 --set seed=3
    judged "$engine" pile --set N=4 --set T=1
    [ "${dimensions[$engine]}" -lt 3 ] || judged "$engine" two_spheres
done
conclude
