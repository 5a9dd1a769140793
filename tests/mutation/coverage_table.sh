#!/usr/bin/env bash
# coverage_table.sh FILE.csv - what gcovr found as a table a room; status 1 below 90 % of lines or 80 % of branches.
# Columns of gcovr's: filename,line_total,line_covered,line_percent,branch_total,branch_covered,...
awk -F , '
    function row(name, l, lc, b, bc) {
        printf("%-26s %7d %7.1f %9d %7.1f\n", name, l, (l > 0 ? 100 * lc / l : 100), b, (b > 0 ? 100 * bc / b : 100))
    }
    NR == 1 { next }
    {
        room = $1
        sub(/\/[^\/]*$/, "", room)
        if (!(room in lines)) { rooms[++n] = room }
        lines[room] += $2; all_lines += $2; got[room] += $3; all_got += $3
        branches[room] += $5; all_branches += $5; taken[room] += $6; all_taken += $6
    }
    END {
        printf "%-26s %7s %7s %9s %7s\n", "room", "lines", "%", "branches", "%"
        for (k = 1; k <= n; k++) { r = rooms[k]; row(r, lines[r], got[r], branches[r], taken[r]) }
        row("all", all_lines, all_got, all_branches, all_taken)
        exit all_lines == 0 || all_got < 0.9 * all_lines || all_taken < 0.8 * all_branches
    }' "$1"
