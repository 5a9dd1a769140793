#!/usr/bin/env bash
# engines.sh - physics engines as schemes of `exec:` (scripts/external/engines), those that are installed:
# the judge finds their start, mass, gravity and shift right, and presets make their steps. Of those that no
# package of Debian or npm brings stand-ins check the calls. IMPACTLAB names the program.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

engines=$PWD/build/engines
said=$(bash scripts/external/engines/build.sh "$engines")
verdict_if $? "adapters of what is installed compile" <(echo "$said")
echo "$said" | grep 'not installed' | sed 's/^/  /'
declare -A dimensions=([ode]=3 [bullet]=3 [mujoco]=3 [box2d]=2 [chipmunk]=2 [dart]=3 [simbody]=3 [jolt]=3 [rapier]=3
    [physx]=3 [havok]=3 [cannon]=3 [planck]=2 [p2]=2 [matter]=2 [liggghts]=3 [yade]=3
    [chrono]=3 [pybullet]=3 [drake]=3 [newton]=3)
command_of() {
    case $1 in
        yade) echo "yade -n -x $engines/yade.py" ;;
        liggghts | chrono | pybullet | drake | newton) echo "python3 $engines/$1.py" ;;
        *) [ -x "$engines/$1" ] && echo "$engines/$1" || echo "node $engines/$1.mjs" ;;
    esac
}
installed() { [ -x "$engines/$1" ] || [ -f "$engines/$1.mjs" ] || [ -f "$engines/$1.py" ]; }
# A Chipmunk velocity holds on the step that follows, one of LIGGGHTS is that at the node.
declare -A between=([chipmunk]=between=constant: [liggghts]=between=ballistic:)
scheme_of() { echo "exec:${between[$1]:-}$(command_of "$1")"; }

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
    installed "$engine" || continue
    judged "$engine" bouncing_ball --set u0=1
    judged "$engine" cradle --set N=1 --set gap=0.29
    judged "$engine" sticky --set N=5 --set seed=3
    [ "$engine" = yade ] && continue # bodies of one mass
    judged "$engine" pile --set N=4 --set T=1
    [ "${dimensions[$engine]}" -lt 3 ] || judged "$engine" two_spheres
done

# Presets make the engine's steps: all nodes of 100 to 200 steps, to `to`. Engines that iterate are told to go on
# until they have solved; balls of the row have a radius that is a binary fraction, so that their gaps are 0.
apart() { # apart FILE FILE: the largest difference of two trajectories, `nothing` where one has no nodes
    awk -F, '/^[#t]/ { next } FNR == NR { line[FNR] = $0; rows++; next }
        { split(line[FNR], x); for (i = 1; i <= NF; i++) { d = x[i] - $i; d = d < 0 ? -d : d; if (!(d <= most)) most = d }; seen++ }
        END { print (seen > 1 && seen == rows) ? most + 0 : "nothing" }' "$1" "$2"
}
same() { # same TO ENGINE "OPTION..." PRESET STEPS PROBLEM...
    local to=$1 engine=$2 options=$3 preset=$4 steps=$5 most
    shift 5
    installed "$engine" || return
    # In the preset's own reading a velocity belongs to the node at which it is printed.
    "$program" run --problem "$@" --scheme "exec:$(command_of "$engine") $options" --steps "$steps" --trajectory "$work/a.csv" > "$work/said" 2>&1
    "$program" run --problem "$@" --scheme "$preset" --steps "$steps" --trajectory "$work/b.csv" >> "$work/said" 2>&1
    most=$(apart "$work/a.csv" "$work/b.csv")
    verdict "$preset is $engine on $*" "$(awk -v most="$most" -v to="$to" 'BEGIN { if (!(most ~ /^[0-9.e+-]+$/ && most + 0 <= to)) print "apart by " most }')"
    rm -f "$work/a.csv" "$work/b.csv"
}
ball=(bouncing_ball --set u0=0.3)
row=(cradle --set radius=0.125 --set gap=0.296 --set speed=2)
points=(sticky --set N=6 --set seed=4)
heap=(pile --set N=4 --set T=0.6 --set radius=0.5)
# Roundings of numbers near 10, in 200 steps over h = 0.01, and some bounces at e = 1.
rounding=1e-9
single=1e-3
# A gap of positions near 1 that rounds by 1e-5 after 80 steps, over a substep of 1/400.
gaps=4e-3
# cannon-es and p2 sweep until impulses change by less than 1e-7 in all.
swept=1e-6
cannon=soft:as=spook,k=1e7
p2=soft:as=spook,k=1e6,relaxation=4,skin=0.005
for e in 0 0.5 1; do
    same $rounding ode '' impulse:as=ode 200 "${ball[@]}" --set e=$e
    same $rounding bullet '' impulse:as=bullet 200 "${ball[@]}" --set e=$e
    same $rounding bullet 'radius=0.5' impulse:as=bullet,margin=0.017320508075688773 200 "${ball[@]}" --set e=$e
    same $single jolt '' impulse:as=jolt 200 "${ball[@]}" --set e=$e
    same $single rapier recycle=0 impulse:as=rapier 200 "${ball[@]}" --set e=$e
    same $rounding liggghts k=1000 dem:k=1000 2000 "${ball[@]}" --set e=$e
    same $rounding liggghts k=1000 dem:k=1000 500 "${row[@]}" --set e=$e
    same $rounding yade 'nodes=1 k=1000' dem:k=1000 2000 "${ball[@]}" --set e=$e
    same $rounding yade 'nodes=1 k=1000' dem:k=1000 500 "${row[@]}" --set e=$e
    [ $e = 0 ] || same $rounding liggghts 'hertz=1 k=1000' dem:k=1000,law=hertz 2000 "${ball[@]}" --set e=$e
    same $rounding planck '' impulse:as=box2d 200 "${ball[@]}" --set e=$e
    same $rounding planck velocity=2000 impulse:as=box2d 100 "${row[@]}" --set e=$e
    same $single physx '' impulse:as=physx 200 "${ball[@]}" --set e=$e
    same $single physx '' impulse:as=physx 200 bouncing_ball --set u0=-60 --set e=$e
    same $single physx position=200 impulse:as=physx 100 "${row[@]}" --set e=$e
    same $single jolt iterations=2000 impulse:as=jolt 100 "${row[@]}" --set e=$e
    same $single box2d '' impulse:as=box2d 200 "${ball[@]}" --set e=$e
    same $rounding chipmunk '' impulse:as=chipmunk 200 "${ball[@]}" --set e=$e
    same $rounding simbody '' impulse:as=simbody 200 "${ball[@]}" --set e=$e
    same $rounding simbody '' impulse:as=simbody 100 "${row[@]}" --set e=$e
    same $rounding dart '' impulse:as=dart 200 "${ball[@]}" --set e=$e
    same $rounding dart '' impulse:as=dart 100 "${row[@]}" --set e=$e
    same $rounding ode quick=2000 impulse:as=ode 100 "${row[@]}" --set e=$e
    same $rounding bullet iterations=20000 impulse:as=bullet,margin=0 100 "${row[@]}" --set e=$e
    same $single box2d velocity=2000 impulse:as=box2d 100 "${row[@]}" --set e=$e
    same $rounding chipmunk iterations=2000 impulse:as=chipmunk 100 "${row[@]}" --set e=$e
done
same $rounding mujoco '' soft:as=mujoco 200 "${ball[@]}"
same $rounding mujoco '' soft:as=mujoco 100 "${row[@]}"
# In Rapier a pair that touches bounces with e = 1 or not as single precision rounds its speed.
for e in 0 0.5; do same $single rapier recycle=0 impulse:as=rapier 100 "${row[@]}" --set e=$e; done
for scenario in free pressed; do
    same $rounding ode '' impulse:as=ode 200 two_spheres --set scenario=$scenario
    same $rounding bullet '' impulse:as=bullet,margin=0 200 two_spheres --set scenario=$scenario
    same $single jolt '' impulse:as=jolt 200 two_spheres --set scenario=$scenario
    same $single physx '' impulse:as=physx 200 two_spheres --set scenario=$scenario
    same $swept cannon '' $cannon 200 two_spheres --set scenario=$scenario
    same $gaps rapier recycle=0 impulse:as=rapier 200 two_spheres --set scenario=$scenario
    same $rounding simbody '' impulse:as=simbody 200 two_spheres --set scenario=$scenario
    same $rounding dart '' impulse:as=dart 200 two_spheres --set scenario=$scenario
    same $rounding mujoco '' soft:as=mujoco 200 two_spheres --set scenario=$scenario
done
# Box2D's sweeps of positions go contact by contact, and Bullet's margin is another for each pair.
same $rounding ode quick=20000 impulse:as=ode 100 "${points[@]}"
same $rounding bullet iterations=20000 impulse:as=bullet,margin=0 100 "${points[@]}"
same $rounding chipmunk iterations=2000 impulse:as=chipmunk 100 "${points[@]}"
same $rounding mujoco '' soft:as=mujoco 100 "${points[@]}"
same $single jolt iterations=2000 impulse:as=jolt 100 "${points[@]}"
same $single rapier recycle=0 impulse:as=rapier 100 "${points[@]}"
same $single rapier recycle=0 impulse:as=rapier 100 "${heap[@]}"
same $single physx position=200 impulse:as=physx 100 "${points[@]}"
same $single physx position=200 impulse:as=physx 100 "${heap[@]}"
same $swept cannon '' $cannon 200 "${ball[@]}"
same $swept cannon iterations=1000 $cannon 100 "${points[@]}"
same $swept cannon iterations=1000 $cannon 100 "${heap[@]}"
same $rounding liggghts k=1000 dem:k=1000 500 "${points[@]}"
same $rounding liggghts k=1000 dem:k=1000 500 "${heap[@]}"
same $rounding liggghts k=1000 dem:k=1000 500 two_spheres
same $rounding yade 'nodes=1 k=1000' dem:k=1000 500 "${points[@]}"
same $swept p2 '' $p2 200 "${ball[@]}"
same $swept p2 iterations=1000 $p2 100 "${row[@]}"
same $swept p2 iterations=1000 $p2 100 "${points[@]}"
same $swept p2 iterations=1000 $p2 100 "${heap[@]}"
same $rounding simbody '' impulse:as=simbody 100 "${points[@]}"
same $rounding dart '' impulse:as=dart 100 "${points[@]}"
same $rounding dart '' impulse:as=dart 100 "${heap[@]}"
same $rounding simbody '' impulse:as=simbody 100 "${heap[@]}"
same $rounding ode '' impulse:as=ode 100 "${heap[@]}"
same $rounding chipmunk iterations=2000 impulse:as=chipmunk 100 "${heap[@]}"
same $rounding mujoco '' soft:as=mujoco 100 "${heap[@]}"

# Adapters in Python against stand-ins of their packages (tests/standins), which check calls and let bodies fly.
flies() { # flies ENGINE PROBLEM...
    local engine=$1 fly=("${@:2}" --steps 50)
    "$program" run --problem "${fly[@]}" --trajectory "$work/a.csv" \
        --scheme "exec:PYTHONPATH=$PWD/tests/standins /usr/bin/python3 scripts/external/engines/$engine.py" > "$work/said" 2>&1
    "$program" run --problem "${fly[@]}" --scheme moreau_jean:theta=1 --trajectory "$work/b.csv" >> "$work/said" 2>&1
    most=$(apart "$work/a.csv" "$work/b.csv")
    verdict "$engine, a stand-in: bodies of $2 fly" "$(awk -v most="$most" 'BEGIN { if (!(most ~ /^[0-9.e+-]+$/ && most + 0 <= 1e-5)) print "apart by " most }')"
    rm -f "$work/a.csv" "$work/b.csv"
}
for engine in chrono pybullet drake newton; do
    if [ $engine = newton ] && ! /usr/bin/python3 -c 'import numpy' 2> /dev/null; then
        echo "  newton: a stand-in needs python3-numpy"
        continue
    fi
    flies $engine bouncing_ball --set u0=1 --set T=0.3
    flies $engine cradle --set N=1 --set gap=0.29 --set T=0.2
    flies $engine two_spheres --set T=0.5
    flies $engine pile --set N=4 --set T=0.03
done
conclude
