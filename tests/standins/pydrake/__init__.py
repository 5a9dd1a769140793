"""pydrake, by its documentation: a plant whose balls fall."""
from types import SimpleNamespace

from standin import Bodies

world = Bodies()


class RigidTransform:
    def __init__(self, p=(0.0, 0.0, 0.0)):
        self.p = p

    def translation(self):
        return self.p


class HalfSpace:
    @staticmethod
    def MakePose(Hz_dir_F, p_FB):
        assert abs(sum(c * c for c in Hz_dir_F) - 1.0) < 1e-12
        return SimpleNamespace(normal=Hz_dir_F, p=p_FB)


class Sphere:
    def __init__(self, radius):
        self.r = radius


class CoulombFriction:
    def __init__(self, static_friction, dynamic_friction):
        assert static_friction == dynamic_friction == 0.0


class SpatialInertia:
    def __init__(self, mass, p_PScm_E, G_SP_E):
        assert list(p_PScm_E) == [0.0] * 3 and G_SP_E > 0.0
        self.m = mass


class UnitInertia:
    @staticmethod
    def SolidSphere(r):
        return 0.4 * r * r


class SpatialVelocity:
    def __init__(self, w, v):
        assert list(w) == [0.0] * 3
        self.v = v

    def translational(self):
        return self.v


class Plant:
    final, names = False, set()

    def __init__(self, time_step):
        self.h = time_step

    def world_body(self):
        return -1

    def AddRigidBody(self, name, M_BBo_B):
        assert not self.final
        return world.add([0.0] * 3, M_BBo_B.m, 0.0)

    def RegisterCollisionGeometry(self, body, X_BG, shape, name, coulomb_friction):
        assert not self.final and name not in self.names and isinstance(coulomb_friction, CoulombFriction)
        self.names.add(name)
        assert isinstance(shape, HalfSpace if body == -1 else Sphere)

    def mutable_gravity_field(self):
        return SimpleNamespace(set_gravity_vector=lambda g: setattr(world, "gravity", list(g)))

    def Finalize(self):
        self.final = True

    def GetMyMutableContextFromRoot(self, root_context):
        assert root_context == "root"
        return "plant"

    def SetFreeBodyPose(self, context, body, X_WB):
        assert self.final and context == "plant"
        world.x[body] = list(X_WB.p)

    def SetFreeBodySpatialVelocity(self, body, V_WB, context):
        assert self.final and context == "plant"
        world.u[body] = list(V_WB.v)

    def EvalBodyPoseInWorld(self, context, body):
        return RigidTransform(world.x[body])

    def EvalBodySpatialVelocityInWorld(self, context, body):
        return SpatialVelocity([0.0] * 3, world.u[body])


class DiagramBuilder:
    def Build(self):
        return self


def AddMultibodyPlantSceneGraph(builder, time_step):
    builder.plant = Plant(time_step)
    return builder.plant, None


class Simulator:
    t = 0.0

    def __init__(self, diagram):
        self.h = diagram.plant.h
        assert diagram.plant.final

    def get_mutable_context(self):
        return "root"

    def Initialize(self):
        pass

    def AdvanceTo(self, boundary_time):
        assert abs(boundary_time - self.t - self.h) < 1e-9
        self.t = boundary_time
        world.fly(self.h)
