// matter.mjs - Matter (npm: matter-js) as a scheme of `exec:`. Discs in the plane are polygons of `sides`
// sides, walls are boxes; no friction, air or sleeping, else the engine's defaults: overlaps of 0.05 pixels are
// left, approach below 2 pixels in 1/60 s does not bounce. Options:
//
//     pixels=100     of a unit of length
//     sides=200      of a disc, whose radius is that of its corners
//     velocity=4, position=6 sweeps
import { createRequire } from 'node:module';
import { options, read, write } from './adapter.mjs';

const { Bodies, Body, Composite, Engine } = createRequire(import.meta.url)('matter-js');
const a = read(2);
const set = options({ pixels: 100, sides: 200, velocity: 4, position: 6 });
const vec = (x, factor) => ({ x: factor * x[0], y: factor * x[1] });
const engine = Engine.create({ velocityIterations: set.velocity, positionIterations: set.position });
engine.gravity.scale = 0; // gravity is a force on each body, per millisecond squared
const surface = { friction: 0, frictionStatic: 0, frictionAir: 0, restitution: a.e, slop: 0.05 };
const size = 16 * a.extent * set.pixels;
for (const w of a.walls) {
  const length = Math.hypot(...w.normal);
  const n = w.normal.map((c) => c / length);
  const far = (set.pixels * w.offset) / length - size / 2;
  Composite.add(engine.world, Bodies.rectangle(far * n[0], far * n[1], 2 * size, size,
    { ...surface, isStatic: true, angle: Math.atan2(-n[0], n[1]) }));
}
const frame = 1000 / 60; // Matter's velocities are per 1/60 s
const made = a.bodies.map((b) => {
  const body = Bodies.polygon(set.pixels * b.x[0], set.pixels * b.x[1], set.sides, set.pixels * b.r, surface);
  Body.setMass(body, b.m);
  Body.setInertia(body, Infinity);
  Body.setVelocity(body, vec(b.u, (set.pixels * frame) / 1000));
  Composite.add(engine.world, body);
  return body;
});
write(a, () => {
  made.forEach((body, i) => {
    const b = a.bodies[i];
    body.force = vec(b.force.map((f, c) => f + b.m * a.gravity[c]), set.pixels / 1e6);
  });
  Engine.update(engine, 1000 * a.h);
  made.forEach((body, i) => {
    const u = Body.getVelocity(body);
    a.bodies[i].x = [body.position.x / set.pixels, body.position.y / set.pixels, 0];
    a.bodies[i].u = [u.x, u.y, 0].map((c) => (c * 1000) / frame / set.pixels);
  });
});
