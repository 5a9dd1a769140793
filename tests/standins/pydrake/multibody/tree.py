from pydrake import SpatialInertia, UnitInertia
