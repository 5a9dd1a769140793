// physx.mjs - PhysX 5.6 (npm: physx-js-webidl), single precision, as a scheme of `exec:`. Spheres in space,
// walls are planes; no friction, damping or sleeping, else the engine's defaults: 4 and 1 sweeps, approach
// below 0.2 of the scale of speeds (10) does not bounce, contacts from a gap of 0.02. Options: position=4 and
// velocity=1 sweeps, threshold=2.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import init from 'physx-js-webidl';
import { options, read, write } from './adapter.mjs';

const a = read(3);
const set = options({ position: 4, velocity: 1, threshold: 2 });
// It is built for browsers: it is given its code, and does not see that this is none.
const wasmBinary = readFileSync(createRequire(import.meta.url).resolve('physx-js-webidl').replace(/mjs$/, 'wasm'));
Object.defineProperty(process, 'versions', { value: {} });
globalThis.window = globalThis;
const P = await init({ wasmBinary });
const top = P.PxTopLevelFunctions.prototype;
const version = P.PHYSICS_VERSION;
const vec = (x) => new P.PxVec3(...x);
const place = (x, turn = [0, 0, 0, 1]) => new P.PxTransform(vec(x), new P.PxQuat(...turn));
const scale = new P.PxTolerancesScale();
const foundation = top.CreateFoundation(version, new P.PxDefaultAllocator(), new P.PxDefaultErrorCallback());
const physics = top.CreatePhysics(version, foundation, scale);
const desc = new P.PxSceneDesc(scale);
desc.gravity = vec(a.gravity);
desc.cpuDispatcher = top.DefaultCpuDispatcherCreate(0);
desc.filterShader = top.DefaultFilterShader();
desc.bounceThresholdVelocity = set.threshold;
const scene = physics.createScene(desc);
const material = physics.createMaterial(0, 0, a.e);
const flags = new P.PxShapeFlags(P.PxShapeFlagEnum.eSIMULATION_SHAPE);
const collide = new P.PxFilterData(1, 1, 0, 0);
const shape = (geometry) => {
  const made = physics.createShape(geometry, material, true, flags);
  made.setSimulationFilterData(collide);
  return made;
};
for (const w of a.walls) {
  const length = Math.hypot(...w.normal);
  const n = w.normal.map((c) => c / length);
  const half = Math.hypot(1 + n[0], n[1], n[2]); // a plane looks along x
  const turn = half > 0 ? [0, -n[2] / half, n[1] / half, (1 + n[0]) / half] : [0, 0, 1, 0];
  const wall = physics.createRigidStatic(place(n.map((c) => (c * w.offset) / length), turn));
  wall.attachShape(shape(new P.PxPlaneGeometry()));
  scene.addActor(wall);
}
const made = a.bodies.map((b) => {
  const body = physics.createRigidDynamic(place(b.x));
  body.attachShape(shape(new P.PxSphereGeometry(b.r)));
  body.setMass(b.m);
  body.setMassSpaceInertiaTensor(vec([b.m, b.m, b.m]));
  body.setLinearDamping(0);
  body.setAngularDamping(0);
  body.setSleepThreshold(0);
  body.setSolverIterationCounts(set.position, set.velocity);
  scene.addActor(body);
  body.setLinearVelocity(vec(b.u));
  return body;
});
write(a, () => {
  made.forEach((body, i) => body.addForce(vec(a.bodies[i].force)));
  scene.simulate(a.h);
  scene.fetchResults(true);
  made.forEach((body, i) => {
    const [x, u] = [body.getGlobalPose().p, body.getLinearVelocity()];
    a.bodies[i].x = [x.x, x.y, x.z];
    a.bodies[i].u = [u.x, u.y, u.z];
  });
});
