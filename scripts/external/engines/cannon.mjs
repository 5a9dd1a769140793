// cannon.mjs - cannon-es (npm: cannon-es) as a scheme of `exec:`. Spheres in space, walls are planes; no
// friction, damping or sleeping, else the engine's defaults: stiffness 1e7 and relaxation 3 of contacts,
// swept until impulses change by less than 1e-7. Option: iterations=10 at most.
import { Body, ContactMaterial, Material, Plane, Sphere, Vec3, World } from 'cannon-es';
import { options, read, write } from './adapter.mjs';

const a = read(3);
const vec = (x) => new Vec3(...x);
const world = new World({ gravity: vec(a.gravity) });
world.solver.iterations = options({ iterations: world.solver.iterations }).iterations;
const material = new Material();
world.addContactMaterial(new ContactMaterial(material, material, { friction: 0, restitution: a.e }));
for (const w of a.walls) {
  const length = Math.hypot(...w.normal);
  const n = vec(w.normal.map((c) => c / length));
  const wall = new Body({ mass: 0, material, shape: new Plane(), position: n.scale(w.offset / length) });
  wall.quaternion.setFromVectors(new Vec3(0, 0, 1), n); // a plane looks along z
  world.addBody(wall);
}
const made = a.bodies.map((b) => {
  const body = new Body({ mass: b.m, material, shape: new Sphere(b.r), position: vec(b.x), velocity: vec(b.u) });
  body.linearDamping = 0;
  world.addBody(body);
  return body;
});
write(a, () => {
  made.forEach((body, i) => body.applyForce(vec(a.bodies[i].force)));
  world.step(a.h);
  made.forEach((body, i) => Object.assign(a.bodies[i], { x: body.position.toArray(), u: body.velocity.toArray() }));
});
