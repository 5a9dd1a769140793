// rapier.mjs - Rapier in the plane (npm: @dimforge/rapier2d-compat), single precision, as a scheme of
// `exec:`. Discs, walls are boxes; no friction or sleeping, else the engine's defaults. Its start-up warns
// on standard error.
import R from '@dimforge/rapier2d-compat';
import { option, read, write } from './adapter.mjs';

const a = read(2);
option();
await R.init();
const world = new R.World({ x: a.gravity[0], y: a.gravity[1] });
world.timestep = a.h;
const surface = (shape) => shape.setFriction(0).setRestitution(a.e);
const size = 16 * a.extent;
for (const w of a.walls) {
  const length = Math.hypot(...w.normal);
  const n = w.normal.map((c) => c / length);
  const far = w.offset / length - size;
  const wall = world.createRigidBody(R.RigidBodyDesc.fixed().setTranslation(far * n[0], far * n[1])
    .setRotation(Math.atan2(-n[0], n[1])));
  world.createCollider(surface(R.ColliderDesc.cuboid(size, size)), wall);
}
const made = a.bodies.map((b) => {
  const body = world.createRigidBody(R.RigidBodyDesc.dynamic().setTranslation(b.x[0], b.x[1])
    .setLinvel(b.u[0], b.u[1]).setCanSleep(false));
  world.createCollider(surface(R.ColliderDesc.ball(b.r)).setMass(b.m), body);
  body.addForce({ x: b.force[0], y: b.force[1] }, true); // until it is reset
  return body;
});
write(a, () => {
  world.step();
  made.forEach((body, i) => {
    const [x, u] = [body.translation(), body.linvel()];
    a.bodies[i].x = [x.x, x.y, 0];
    a.bodies[i].u = [u.x, u.y, 0];
  });
});
