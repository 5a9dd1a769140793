// havok.mjs - Havok (npm: @babylonjs/havok), single precision, as a scheme of `exec:`. Spheres in space,
// walls are boxes; no friction, damping or sleeping, else the engine's defaults.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import init from '@babylonjs/havok';
import { options, read, refuse, write } from './adapter.mjs';

const a = read(3);
options();
const at = createRequire(import.meta.url).resolve('@babylonjs/havok').replace(/[^/]*$/, 'HavokPhysics.wasm');
const H = await init({ wasmBinary: readFileSync(at) });
const ok = (answer) => { // a result, or [result, value]
  const [result, value] = Array.isArray(answer) ? answer : [answer];
  if (result !== H.Result.RESULT_OK) refuse('Havok refuses a call');
  return value;
};
const world = ok(H.HP_World_Create());
ok(H.HP_World_SetGravity(world, a.gravity));
ok(H.HP_World_SetIdealStepTime(world, a.h));
const add = (shape, x, motion) => {
  const body = ok(H.HP_Body_Create());
  const { AVERAGE, MAXIMUM } = H.MaterialCombine;
  ok(H.HP_Shape_SetMaterial(shape, [0, 0, a.e, MAXIMUM ?? AVERAGE, MAXIMUM ?? AVERAGE]));
  ok(H.HP_Body_SetShape(body, shape));
  ok(H.HP_Body_SetMotionType(body, motion));
  ok(H.HP_Body_SetQTransform(body, [x, [0, 0, 0, 1]]));
  ok(H.HP_World_AddBody(world, body, false));
  return body;
};
const size = 16 * a.extent;
for (const w of a.walls) {
  const length = Math.hypot(...w.normal);
  const n = w.normal.map((c) => c / length);
  const half = Math.hypot(n[0], 1 + n[1], n[2]); // the turn of (0, 1, 0) to n, as a quaternion
  const turn = half > 0 ? [n[2] / half, 0, -n[0] / half, (1 + n[1]) / half] : [1, 0, 0, 0];
  const middle = n.map((c) => (w.offset / length - size) * c);
  add(ok(H.HP_Shape_CreateBox([0, 0, 0], turn, [2 * size, 2 * size, 2 * size])), middle, H.MotionType.STATIC);
}
const made = a.bodies.map((b) => {
  const body = add(ok(H.HP_Shape_CreateSphere([0, 0, 0], b.r)), b.x, H.MotionType.DYNAMIC);
  ok(H.HP_Body_SetMassProperties(body, [[0, 0, 0], b.m, [b.m, b.m, b.m], [0, 0, 0, 1]]));
  ok(H.HP_Body_SetLinearDamping(body, 0));
  ok(H.HP_Body_SetActivationControl(body, H.ActivationControl.ALWAYS_ACTIVE));
  ok(H.HP_Body_SetLinearVelocity(body, b.u));
  return body;
});
write(a, () => {
  made.forEach((body, i) => {
    ok(H.HP_Body_ApplyImpulse(body, a.bodies[i].x, a.bodies[i].force.map((f) => a.h * f)));
  });
  ok(H.HP_World_Step(world, a.h));
  made.forEach((body, i) => {
    a.bodies[i].x = [...ok(H.HP_Body_GetPosition(body))];
    a.bodies[i].u = [...ok(H.HP_Body_GetLinearVelocity(body))];
  });
});
