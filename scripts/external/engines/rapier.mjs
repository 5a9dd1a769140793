// rapier.mjs - Rapier (npm: @dimforge/rapier2d-compat, and rapier3d-compat for problems in space), single
// precision, as a scheme of `exec:`. Discs or balls, walls are boxes; no friction or sleeping, else the
// engine's defaults. Its start-up warns on standard error. Options:
//
//     recycle=1      0: each pair is looked at in each step, not only where it has moved by 0.02 since it
//                    was last (0.05 in contact)
//     iterations=1   sweeps of velocities in a substep
import { options, read, write } from './adapter.mjs';

const a = read(3);
const set = options({ recycle: 1, iterations: 1 });
const flat = a.space < 3;
const R = (await import(`@dimforge/rapier${flat ? 2 : 3}d-compat`)).default;
await R.init();
const vec = (x) => ({ x: x[0], y: x[1], z: x[2] });
const world = new R.World(vec(a.gravity));
world.timestep = a.h;
world.numInternalPgsIterations = set.iterations;
// Who asks to filter pairs has each of them looked at in each step.
const hooks = set.recycle === 0 ? R.ActiveHooks.FILTER_CONTACT_PAIRS : R.ActiveHooks.NONE;
const surface = (shape) => shape.setFriction(0).setRestitution(a.e);
const size = 16 * a.extent;
const box = R.ColliderDesc.cuboid(...[size, size, size].slice(0, flat ? 2 : 3));
for (const w of a.walls) {
  const length = Math.hypot(...w.normal);
  const n = w.normal.map((c) => c / length);
  const far = n.map((c) => (w.offset / length - size) * c);
  const half = Math.hypot(n[0], 1 + n[1], n[2]); // the turn of (0, 1, 0) to n, as a quaternion
  const turn = half > 0 ? { x: n[2] / half, y: 0, z: -n[0] / half, w: (1 + n[1]) / half } : { x: 1, y: 0, z: 0, w: 0 };
  const wall = R.RigidBodyDesc.fixed().setTranslation(...far.slice(0, flat ? 2 : 3));
  wall.setRotation(flat ? Math.atan2(-n[0], n[1]) : turn);
  world.createCollider(surface(box), world.createRigidBody(wall));
}
const made = a.bodies.map((b) => {
  const desc = R.RigidBodyDesc.dynamic().setCanSleep(false);
  const body = world.createRigidBody(desc.setTranslation(...b.x.slice(0, flat ? 2 : 3)).setLinvel(...b.u.slice(0, flat ? 2 : 3)));
  world.createCollider(surface(R.ColliderDesc.ball(b.r)).setMass(b.m).setActiveHooks(hooks), body);
  body.addForce(vec(b.force), true); // until it is reset
  return body;
});
write(a, () => {
  world.step();
  made.forEach((body, i) => {
    const [x, u] = [body.translation(), body.linvel()];
    a.bodies[i].x = [x.x, x.y, x.z ?? 0];
    a.bodies[i].u = [u.x, u.y, u.z ?? 0];
  });
});
