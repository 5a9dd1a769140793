#!/usr/bin/env bash
# library.sh - impactlab from C and Python, from an installed copy outside of the checkout.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

library=$(dirname "$program")/libimpactlab.so.0
[ -r "$library" ] || { echo "library.sh: no library at $library; run make library first" >&2; exit 2; }
root=$work/root
if ! bash scripts/put.sh install "$program" "$(dirname "$program")/impactlab_hdf5.so" "$root" 0.1.0 >"$work/out" 2>&1; then
    cat "$work/out"
    exit 1
fi
checkout=$PWD tests=$PWD/tests/library
cd "$work" || exit 2
export LD_LIBRARY_PATH=$root/lib PKG_CONFIG_PATH=$root/lib/pkgconfig
compiler=${CC:-gcc}

says() { # says NAME PATTERN COMMAND...
    local name=$1 pattern=$2
    shift 2
    "$@" >out 2>err
    local status=$?
    verdict "$name" "$([ $status -eq 0 ] && grep -qE -- "$pattern" out || echo "status $status: $(tail -n 2 out err)")"
}

compile() { # compile NAME
    "$compiler" -std=c17 -Wall -Wextra -Werror "$root/share/impactlab/examples/$1.c" $(pkg-config --cflags --libs impactlab) -lm -o "$1" 2>err
    verdict "$1.c compiles" "$([ -x "$1" ] || head -n 3 err)"
}

for example in run judge scheme; do compile $example; done

# A locale whose numbers have a comma, made here: no machine need have one.
{
    printf '<code_set_name> ANSI_X3.4-1968\n<comment_char> %%\n<escape_char> /\nCHARMAP\n'
    for ((k = 0; k < 128; k++)); do printf '<U%04X> /x%02x c\n' $k $k; done
    echo 'END CHARMAP'
} >charmap
printf 'comment_char %%\nescape_char /\nLC_NUMERIC\ndecimal_point ","\nthousands_sep ""\ngrouping -1\nEND LC_NUMERIC\n' >comma
localedef -c -i comma -f ./charmap ./comma_XX >/dev/null 2>&1
"$compiler" -std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror "$tests/host/host.c" $(pkg-config --cflags --libs impactlab jansson) -lm -o host 2>err
verdict "a host of the library compiles" "$([ -x host ] || head -n 3 err)"
says "a host keeps its allocator, its locale, its signals" 'the host is as it was' env LOCPATH="$PWD" ./host comma_XX
says "runs have an order" 'u_L1 falls like h\^' ./run
says "a loop is judged" 'e = 0.6: u_L1 = ' ./judge
says "functions are a scheme and a problem" 'own: ends at t = 1' ./scheme
"$program" run --problem two_spheres --set scenario=free --scheme maury --steps 61 --trajectory own.h5 --json >own.json
verdict "the library's runs have the program's bits" \
    "$(e=$(grep -o '"u_L1": [0-9.e-]*' own.json | head -n 1 | cut -d' ' -f2); grep -q "u_L1 = $(printf '%.3e' "$e")" <(./run) || echo "not $e")"
verdict "nothing else is exported" "$(nm -D --defined-only "$library" | awk '{ print $3 }' | grep -vE '^impactlab_|^IMPACTLAB_' | head -n 3)"

if /usr/bin/python3 -c 'import cffi, numpy' 2>/dev/null; then
    PYTHONPATH=$(dirname "$(dirname "$(find "$root/lib" -name __init__.py)")")
    export PYTHONPATH
    says "Python does all of it" 'all well' /usr/bin/python3 "$tests/python.py"
    says "functions, arrays and hosts of Python are safe" 'all safe' env LOCPATH="$PWD" /usr/bin/python3 "$tests/safety.py"
    says "assertions pass what is right and tell what is wrong" 'all asserted' \
        env PYTHONPATH="$PYTHONPATH:$root/share/impactlab/examples" /usr/bin/python3 "$tests/asserted.py"
    says "its script says orders" 'maury falls like' /usr/bin/python3 "$root/share/impactlab/examples/convergence.py"
    # A wheel in an environment of its own, from a folder without the tree.
    if /usr/bin/python3 -c 'import ensurepip, tomllib, venv' 2>/dev/null; then
        unset PYTHONPATH LD_LIBRARY_PATH
        make --no-print-directory -s -C "$checkout" VARIANT="$(basename "$(dirname "$program")")" WHEELS="$PWD/wheels" wheel >out 2>&1
        verdict_if $? "make wheel" out
        /usr/bin/python3 -m venv --system-site-packages fresh && fresh/bin/pip install -q --no-index wheels/*.whl >out 2>&1
        verdict_if $? "pip installs it" out
        says "its program judges HDF5 files" 'two_spheres by own.h5' fresh/bin/impactlab judge own.h5 --problem two_spheres --set scenario=free
        says "its package runs and sweeps" 'all wheeled' fresh/bin/python -c 'import impactlab, impactlab.testing, json
assert "/fresh/" in impactlab.__file__
assert impactlab.run("two_spheres", "maury", steps=61, scenario="free").error["u_L1"] == json.load(open("own.json"))["error"]["u_L1"]
assert len(impactlab.sweep("two_spheres", ["maury", "paoli"], [20, 30], results="wheeled")) == 4
print("all wheeled")'
        verdict "nothing that it loads is Debian's" "$(ldd fresh/lib/python3*/site-packages/impactlab/root/{bin/impactlab,lib/libimpactlab.so.0,lib/impactlab/impactlab_hdf5.so} |
            grep '=>' | grep -vE '/needed/|/lib(c|m|resolv)\.so|ld-linux' | head -n 3)"
    else
        echo "library.sh: the wheel is not tried: scripts/install.sh python"
    fi
else
    echo "library.sh: Python is not tried: scripts/install.sh python"
fi
conclude
