// p2.mjs - p2 (npm: p2) as a scheme of `exec:`. Discs in the plane, walls are planes; no friction, damping
// or sleeping, else the engine's defaults: stiffness 1e6 and relaxation 4 of contacts, a skin of 0.01. Its
// world keeps single-precision vectors unless it is told before it is loaded. Option: iterations=10.
import { createRequire } from 'node:module';
import { options, read, write } from './adapter.mjs';

globalThis.P2_ARRAY_TYPE = Array; // double
const p2 = createRequire(import.meta.url)('p2');
const a = read(2);
const flat = (x) => [x[0], x[1]];
const world = new p2.World({ gravity: flat(a.gravity) });
world.solver.iterations = options({ iterations: world.solver.iterations }).iterations;
world.defaultContactMaterial.friction = 0;
world.defaultContactMaterial.restitution = a.e;
for (const w of a.walls) {
  const length = Math.hypot(...w.normal);
  const n = w.normal.map((c) => c / length);
  const wall = new p2.Body({ position: flat(n).map((c) => (c * w.offset) / length), angle: Math.atan2(-n[0], n[1]) });
  wall.addShape(new p2.Plane());
  world.addBody(wall);
}
const made = a.bodies.map((b) => {
  const body = new p2.Body({ mass: b.m, position: flat(b.x), velocity: flat(b.u), damping: 0, angularDamping: 0 });
  body.addShape(new p2.Circle({ radius: b.r }));
  world.addBody(body);
  return body;
});
write(a, () => {
  made.forEach((body, i) => body.applyForce(flat(a.bodies[i].force)));
  world.step(a.h);
  made.forEach((body, i) => Object.assign(a.bodies[i], { x: [...body.position, 0], u: [...body.velocity, 0] }));
});
