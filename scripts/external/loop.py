#!/usr/bin/python3
"""A time-stepping loop of one's own, to be judged: a ball over a floor, Newton's impact law.

    python3 scripts/external/loop.py && impactlab judge loop-*.csv --problem bouncing_ball --set e=0.5
"""


def simulate(steps, e=0.5, gravity=9.81, horizon=2.0):
    h, q, u, rows = horizon / steps, 1.0, 0.0, [(0.0, 1.0, 0.0)]
    for n in range(1, steps + 1):
        u -= h * gravity
        if q + h * u < 0.0 and u < 0.0:
            u = -e * u
        q += h * u
        rows.append((n * h, q, u))
    return rows

for steps in (97, 139, 191, 277, 389, 547, 769, 1087, 1531, 2161):
    with open("loop-%04d.csv" % steps, "w") as out:
        out.write("t,q0,u0\n")
        out.writelines("%.17g,%.17g,%.17g\n" % row for row in simulate(steps))
