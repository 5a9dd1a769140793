"""What adapters in Python share: the greeting of `exec:`, laid out as adapter.h does, the options, and
the lines of the steps. What an engine prints goes to standard error.
"""
import json
import os
import sys
from types import SimpleNamespace

OUT = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def refuse(text):
    print(text, file=sys.stderr, flush=True)
    os._exit(2)


def options(**known):
    """The options KEY=NUMBER of the command line, and what they are without."""
    for given in sys.argv[1:]:
        key, _, number = given.partition("=")
        try:
            value = float(number)
        except ValueError:
            value = -1.0
        if key not in known or not value >= 0.0:
            allowed = "KEY=NUMBER >= 0, of " + " ".join(known) if known else "none"
            refuse("option '%s'; allowed: %s" % (given, allowed))
        known[key] = value
    return SimpleNamespace(**known)


def three(numbers):
    return [float(c) for c in numbers] + [0.0] * (3 - len(numbers))


def read(radius=1.0):
    """Bodies (x, u, m, r, force beside gravity, shift) and walls (normal of length 1, offset)."""
    ask = json.loads(sys.stdin.readline())
    name, space, point = ask["problem"], ask["space"], ask["space"] == 0
    if ask["order"] != 2:
        refuse("%s is of order 1; engines make steps of order 2" % name)
    if not ask["force_constant"]:
        refuse("the force of %s changes; an engine is told constant ones" % name)
    if name == "growing_radii":
        refuse("the radii of %s change; an engine's are fixed" % name)
    if any(len(contact) != 2 for contact in ask.get("contacts", [])):
        refuse("a constraint of %s is neither of two bodies nor of one and a wall" % name)
    space = ask["dimension"] if point else space

    def part(key, i):
        return ask[key][space * i:space * (i + 1)]

    gravity = part("acceleration", 0)
    a = SimpleNamespace(space=space, steps=ask["steps"], h=ask["h"], e=ask["restitution"],
                        gravity=three(gravity), bodies=[], walls=[])
    for i in range(ask["dimension"] // space):
        given = 0.0 if point else ask["radii"][i]
        if given == 0.0 and not point and (space != 1 or ask["walls"]):
            refuse("body %d has radius 0, and is not on a line without walls" % i)
        m = ask["mass"][space * i]
        b = SimpleNamespace(x=three(part("q", i)), u=three(part("u", i)), m=m, r=given or radius,
                            shift=2.0 * radius * i if given == 0.0 and not point else 0.0,
                            force=three([m * (c - g) for c, g in zip(part("acceleration", i), gravity)]))
        b.x[0] += b.shift
        a.bodies.append(b)
    for wall in ask["walls"]:
        length = sum(c * c for c in wall["normal"]) ** 0.5
        a.walls.append(SimpleNamespace(normal=three([c / length for c in wall["normal"]]),
                                       offset=wall["offset"] / length - (radius if point else 0.0)))
    return a


def write(a):
    """A line of a step, of what stands in the bodies' x and u."""
    q = [c for b in a.bodies for c in [b.x[0] - b.shift, *b.x[1:]][:a.space]]
    u = [c for b in a.bodies for c in b.u[:a.space]]
    print(json.dumps({"q": q, "u": u}), file=OUT, flush=True)
