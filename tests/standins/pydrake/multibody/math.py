from pydrake import SpatialVelocity
