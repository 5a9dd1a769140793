from pydrake import HalfSpace, Sphere
