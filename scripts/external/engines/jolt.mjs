// jolt.mjs - Jolt (npm: jolt-physics), single precision, as a scheme of `exec:`. Spheres in space, walls are
// boxes; no friction, damping, sleeping, else the engine's defaults. Option: iterations=10 of velocities.
import init from 'jolt-physics/wasm-compat';
import { options, read, write } from './adapter.mjs';

const a = read(3);
const J = await init();
const vec = (x) => new J.Vec3(...x);
const at = (x) => new J.RVec3(...x);

const settings = new J.JoltSettings();
const pairs = new J.ObjectLayerPairFilterTable(2);
const layers = new J.BroadPhaseLayerInterfaceTable(2, 2);
pairs.EnableCollision(0, 1);
pairs.EnableCollision(1, 1);
layers.MapObjectToBroadPhaseLayer(0, new J.BroadPhaseLayer(0));
layers.MapObjectToBroadPhaseLayer(1, new J.BroadPhaseLayer(1));
settings.mObjectLayerPairFilter = pairs;
settings.mBroadPhaseLayerInterface = layers;
settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 2);
const jolt = new J.JoltInterface(settings);
const system = jolt.GetPhysicsSystem();
const world = system.GetBodyInterface();
system.SetGravity(vec(a.gravity));
const physics = system.GetPhysicsSettings();
physics.mNumVelocitySteps = options({ iterations: physics.mNumVelocitySteps }).iterations;
system.SetPhysicsSettings(physics);

const add = (shape, x, turn, motion, layer, more) => {
  const c = new J.BodyCreationSettings(shape, at(x), turn, motion, layer);
  Object.assign(c, { mRestitution: a.e, mFriction: 0, mLinearDamping: 0, mAngularDamping: 0, mAllowSleeping: false }, more);
  const body = world.CreateBody(c);
  world.AddBody(body.GetID(), J.EActivation_Activate);
  return body;
};
const size = 16 * a.extent;
for (const w of a.walls) {
  const length = Math.hypot(...w.normal);
  const n = w.normal.map((c) => c / length);
  const turn = J.Quat.prototype.sFromTo(vec([0, 1, 0]), vec(n));
  add(new J.BoxShape(vec([size, size, size]), 0, null), n.map((c) => (w.offset / length - size) * c), turn,
    J.EMotionType_Static, 0, {});
}
const made = a.bodies.map((b) => {
  const body = add(new J.SphereShape(b.r, null), b.x, new J.Quat(0, 0, 0, 1), J.EMotionType_Dynamic, 1,
    { mLinearVelocity: vec(b.u) });
  body.GetMotionProperties().SetInverseMass(1 / b.m);
  return body;
});
write(a, () => {
  made.forEach((body, i) => body.AddForce(vec(a.bodies[i].force)));
  jolt.Step(a.h, 1);
  made.forEach((body, i) => {
    const [x, u] = [body.GetPosition(), body.GetLinearVelocity()];
    a.bodies[i].x = [x.GetX(), x.GetY(), x.GetZ()];
    a.bodies[i].u = [u.GetX(), u.GetY(), u.GetZ()];
  });
});
