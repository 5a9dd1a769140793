from pydrake import DiagramBuilder
