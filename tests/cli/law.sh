#!/usr/bin/env bash
# law.sh - `impactlab law`: what it prints of laws that are known, and what it refuses.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"
cd "$work" || exit 2

gives() { # gives NAME STATUS PATTERN ARG...: ends so, and prints the pattern somewhere
    local name=$1 wanted=$2 pattern=$3 status
    shift 3
    "$program" law "$@" >said 2>err </dev/null
    status=$?
    verdict "$name" "$([ $status -eq "$wanted" ] && grep -qE -- "$pattern" said err || echo "status $status: $(head -c 300 said) $(tail -n 1 err)")"
}

few=(--steps 500 --phases 89)
golden=0.61803398874989485

# min(theta, 1 - theta)/sqrt 2: mean 0.1768, largest 0.3536.
gives "the law of an impact" 0 'mean 0\.1767[0-9]* [+]- 0\.015  geometric mean [0-9.]*  largest 0\.35[0-9]*' \
    --problem cradle --set N=1 --set gap=$golden --scheme moreau_jean "${few[@]}"
gives "its order" 0 'order between 250 and 500 steps: (1\.00|0\.99)' --problem cradle --set N=1 --set gap=$golden --scheme maury "${few[@]}"
gives "an atom" 0 'an atom: 5[0-9] % of all c are near 4\.4' --problem bouncing_ball --scheme maury --steps 4000
gives "another order" 1 'the errors fall like h\^(2\.0|1\.9)[0-9]*, not like h\^1' --problem graze --set k=3 --set s=$golden --scheme maury "${few[@]}"
gives "no error at all" 0 'the errors are roundings' --problem graze --set s=$golden --scheme paoli "${few[@]}"
gives "JSON" 0 '^\{"problem": "graze", "scheme": "maury", "norm": "q_Linf", "order": 1\.0, "observed": ' \
    --problem graze --set s=$golden --scheme maury --norm q_Linf "${few[@]}" --json
gives "a figure" 0 'wrote pictures/bump.png' --problem graze --set s=$golden --scheme moreau_jean "${few[@]}" --figure pictures/bump
verdict "that is there" "$([ -s pictures/bump.png ] && [ -s pictures/bump.svg ] || echo 'no figure')"
gives "of two events how c is distributed" 0 'wrote radii.png' --problem growing_radii --scheme maury --steps 500 --figure radii
gives "two events that are locked to each other" 2 "t = 0.240911 and 0.523599 are locked to each other: .*; take more step sizes, or other times" \
    --problem growing_radii --scheme maury "${few[@]}" # 2 t_1 + t_2 = 1.005

gives "locked phases" 2 'the event at t = 0\.5 is locked to the steps' --problem graze --scheme maury "${few[@]}"
gives "too few phases" 2 "--phases is '49'; allowed: an integer from 50 to 100000" --problem graze --scheme maury --phases 49
gives "no exact solution" 2 'no exact solution of crowd is known' --problem crowd --scheme venel
gives "several" 2 "'nonuniqueness' has several exact solutions" --problem nonuniqueness --scheme maury
gives "too many events" 2 'allowed: at most 16' --problem bouncing_ball --set e=0.5 --scheme moreau_jean
gives "no scheme" 2 '--problem and --scheme are needed' --problem graze
gives "another norm" 2 "--norm is 'L2'; allowed: u_L1, q_Linf, final_q, final_u" --problem graze --scheme maury --norm L2
gives "an order that is none" 2 "--order is '-1'; allowed: a number in \[0, 16\]" --problem graze --scheme maury --order -1
gives "order 0 is one" 1 'the errors fall like h\^(1\.0|0\.9)[0-9]*, not like h\^0' --problem cradle --set N=1 --set gap=$golden --scheme maury --order 0 "${few[@]}"
gives "a word" 2 "'graze' is not allowed here; allowed: options" graze
timeout --preserve-status -s TERM 0.5 "$program" law --problem graze --set s=$golden --scheme maury --steps 1000000 >said 2>err
verdict "an interrupted study ends with 3" "$(status=$?; [ $status -eq 3 ] && grep -q 'interrupted after step' err || echo "status $status: $(tail -n 1 err)")"

conclude
