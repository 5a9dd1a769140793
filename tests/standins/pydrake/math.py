from pydrake import RigidTransform
