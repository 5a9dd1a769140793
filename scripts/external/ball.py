#!/usr/bin/python3
"""A scheme in another language, to copy: semi-implicit Euler with Newton's impact law.

    impactlab run --problem bouncing_ball --scheme "exec:python3 scripts/external/ball.py" --steps 100

impactlab starts it, writes one line of JSON about the problem, and reads a line for each step. It
knows one problem: a point over a floor. Everything else is refused on standard error.
"""
import json
import sys


def step(q, u, h, gravity, e):
    """The velocity first; where the floor would be passed, the impact: u+ = -e u-."""
    u_next = u - h * gravity
    impulse = 0.0
    if q + h * u_next < 0.0 and u_next < 0.0:
        impulse = -(1.0 + e) * u_next if e > 0.0 else -q / h - u_next
        u_next += impulse
    return q + h * u_next, u_next, impulse


def main():
    ask = json.loads(sys.stdin.readline())
    if ask["problem"] != "bouncing_ball":
        sys.exit("ball.py knows bouncing_ball alone, not " + ask["problem"])
    q, u = ask["q"][0], ask["u"][0]
    for _ in range(ask["steps"]):
        q, u, impulse = step(q, u, ask["h"], ask["parameters"]["gravity"], ask["restitution"])
        print(json.dumps({"q": [q], "u": [u], "impulses": [[0, impulse]]}), flush=True)


main()
