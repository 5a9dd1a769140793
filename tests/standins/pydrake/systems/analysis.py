from pydrake import Simulator
