// planck.mjs - Planck (npm: planck), Box2D 2.4 in double precision, as a scheme of `exec:`. Discs in the
// plane, walls are edges; no friction, damping, sleeping or continuous detection, else the engine's
// defaults, as in box2d.cc. Options: velocity=8, position=3 sweeps.
import { Circle, Edge, Settings, Vec2, World } from 'planck';
import { options, read, write } from './adapter.mjs';

const a = read(2);
const set = options({ velocity: 8, position: 3 });
const vec = (x) => new Vec2(x[0], x[1]);
const world = new World({ gravity: vec(a.gravity), allowSleep: false, continuousPhysics: false });
const surface = { friction: 0, restitution: a.e };
for (const w of a.walls) {
  const length = Math.hypot(...w.normal);
  const n = w.normal.map((c) => c / length);
  const along = vec([-n[1], n[0]]).mul(8 * a.extent);
  const middle = vec(n).mul(w.offset / length - Settings.polygonRadius); // an edge is as thick
  world.createBody().createFixture(new Edge(Vec2.sub(middle, along), Vec2.add(middle, along)), surface);
}
const made = a.bodies.map((b) => {
  const body = world.createBody({ type: 'dynamic', position: vec(b.x), linearVelocity: vec(b.u), fixedRotation: true });
  body.createFixture(new Circle(b.r), { ...surface, density: 1 });
  body.setMassData({ mass: b.m, center: new Vec2(0, 0), I: b.m });
  return body;
});
write(a, () => {
  made.forEach((body, i) => body.applyForceToCenter(vec(a.bodies[i].force)));
  world.step(a.h, set.velocity, set.position);
  made.forEach((body, i) => {
    const [x, u] = [body.getPosition(), body.getLinearVelocity()];
    a.bodies[i].x = [x.x, x.y, 0];
    a.bodies[i].u = [u.x, u.y, 0];
  });
});
