#!/usr/bin/env bash
# build.sh DIR - an adapter for each physics engine that is installed, DIR/NAME, and a word on those that are
# not. Status 1 where one that is installed does not compile.
set -uo pipefail
into=${1:?build.sh: the folder for the adapters}
mkdir -p "$into" || exit 2
from=$(dirname "$0")
failed=0

adapter() { # adapter NAME SOURCE PACKAGE HEADER FLAG...
    local name=$1 source=$from/$2 package=$3 header=$4 compiler=${CC:-cc} standard=c17
    shift 4
    [[ $source == *.cc ]] && compiler=${CXX:-g++} standard=c++17
    if ! command -v "$compiler" > /dev/null ||
        ! echo "#include <$header>" | "$compiler" -x "${standard%17}" -std=$standard -E "$@" - > /dev/null 2>&1; then
        rm -f "$into/$name"
        echo "$name: not installed (Debian: $package)"
        return
    fi
    if [ "$into/$name" -nt "$source" ] && [ "$into/$name" -nt "$from/adapter.h" ]; then
        echo "$name: $into/$name"
    elif "$compiler" -std=$standard -O2 -D_GNU_SOURCE -Wall -Wextra -Werror -o "$into/$name" "$source" "$@" \
        -ljansson -lm; then
        echo "$name: $into/$name"
    else
        failed=1
    fi
}

adapter ode ode.c libode-dev ode/ode.h -lode
adapter bullet bullet.cc libbullet-dev btBulletDynamicsCommon.h -isystem /usr/include/bullet \
    -DBT_USE_DOUBLE_PRECISION -lBulletDynamics-float64 -lBulletCollision-float64 -lLinearMath-float64
adapter mujoco mujoco.c libmujoco-dev mujoco/mujoco.h -lmujoco
adapter box2d box2d.cc libbox2d-dev box2d/box2d.h -lbox2d
adapter chipmunk chipmunk.c libchipmunk-dev chipmunk/chipmunk.h -lchipmunk
adapter dart dart.cc libdart-dev dart/simulation/World.hpp -isystem /usr/include/eigen3 -ldart
adapter simbody simbody.cc libsimbody-dev Simbody.h -isystem /usr/include/simbody -lSimTKsimbody -lSimTKmath -lSimTKcommon

script() { # script NAME PACKAGE: an engine of npm, which is looked for beside its adapter
    if command -v node > /dev/null && [ -d "$into/node_modules/$2" ]; then
        cp "$from/adapter.mjs" "$from/$1.mjs" "$into" && echo "$1: node $into/$1.mjs" || failed=1
    else
        rm -f "$into/$1".*
        echo "$1: not installed (npm: $2)"
    fi
}
script jolt jolt-physics
script rapier @dimforge/rapier2d-compat
script physx physx-js-webidl
script havok @babylonjs/havok
script cannon cannon-es
script planck planck
script p2 p2
script matter matter-js

driven() { # driven NAME PROGRAM COMMAND: an engine that is a program of its own, which a script drives
    if command -v "$2" > /dev/null && command -v python3 > /dev/null; then
        cp "$from/adapter.py" "$from/$1.py" "$into" && echo "$1: $3 $into/$1.py" || failed=1
    else
        rm -f "$into/$1".*
        echo "$1: not installed (Debian: $2)"
    fi
}
driven liggghts liggghts python3
driven yade yade "yade -n -x"

module() { # module NAME MODULE PACKAGE: an engine that is a module of Python
    if python3 -c "import $2" 2> /dev/null; then
        cp "$from/adapter.py" "$from/$1.py" "$into" && echo "$1: python3 $into/$1.py" || failed=1
    else
        rm -f "$into/$1".*
        echo "$1: not installed ($3)"
    fi
}
module chrono pychrono "conda: pychrono"
module pybullet pybullet "pip: pybullet"
module drake pydrake "pip: drake"
module newton newton "pip: newton"
exit "$failed"
