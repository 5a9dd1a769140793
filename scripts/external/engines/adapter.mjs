// adapter.mjs - what adapters in JavaScript share: the greeting of `exec:`, laid out as adapter.h does, and
// the lines of the steps.
import { readFileSync, writeSync } from 'node:fs';

export function refuse(text) {
  console.error(text);
  process.exit(2);
}

// The options {key: number} of an adapter, as the command line has them, KEY=NUMBER each.
export function options(known = {}) {
  const keys = Object.keys(known);
  for (const given of process.argv.slice(2)) {
    const [word, number, more] = given.split('=');
    if (!keys.includes(word) || !number || more !== undefined || !(Number(number) >= 0)) {
      refuse(`option '${given}'; allowed: ${keys.length > 0 ? `KEY=NUMBER >= 0, of ${keys.join(' ')}` : 'none'}`);
    }
    known[word] = Number(number);
  }
  return known;
}

// The bodies {x, u, m, r, force, shift} and walls {normal, offset} for an engine of so many dimensions.
export function read(dimensions, radius = 1) {
  const ask = JSON.parse(readFileSync(0, 'utf8'));
  const name = ask.problem;
  if (ask.order !== 2) refuse(`${name} is of order 1; engines make steps of order 2`);
  if (!ask.force_constant) refuse(`the force of ${name} changes; an engine is told constant ones`);
  if (name === 'growing_radii') refuse(`the radii of ${name} change; an engine's are fixed`);
  if ((ask.contacts ?? []).some((c) => c.length !== 2)) {
    refuse(`a constraint of ${name} is neither of two bodies nor of one and a wall`);
  }
  const point = ask.space === 0;
  const space = point ? ask.dimension : ask.space;
  if (space > dimensions) refuse(`the problem is in space of dimension ${space}, the engine in that of ${dimensions}`);
  const three = (list) => [0, 1, 2].map((c) => list[c] ?? 0);
  const of = (list, i) => three(list.slice(space * i, space * (i + 1)));
  const gravity = of(ask.acceleration, 0);
  const bodies = [];
  for (let i = 0; i < ask.dimension / space; i++) {
    const given = point ? 0 : ask.radii[i];
    if (given === 0 && !point && (space !== 1 || ask.walls.length > 0)) refuse(`body ${i} has radius 0`);
    const shift = given === 0 && !point ? 2 * radius * i : 0;
    const x = of(ask.q, i);
    const m = ask.mass[space * i];
    x[0] += shift;
    const force = of(ask.acceleration, i).map((a, c) => m * (a - gravity[c]));
    bodies.push({ x, u: of(ask.u, i), m, r: given || radius, force, shift });
  }
  const walls = ask.walls.map((w) => ({
    normal: three(w.normal), offset: w.offset - (point ? radius * Math.hypot(...w.normal) : 0) }));
  const extent = Math.max(...bodies.flatMap((b) => b.x.map((x) => Math.abs(x) + b.r)),
    ...walls.map((w) => Math.abs(w.offset)));
  return { space, steps: ask.steps, h: ask.h, e: ask.restitution, gravity, bodies, walls, extent };
}

// All steps at once: make() brings body[].x and u up to date.
export function write(a, make) {
  let text = '';
  for (let n = 0; n < a.steps; n++) {
    make();
    const list = (of) => a.bodies.flatMap((b) => of(b).slice(0, a.space)).join(', ');
    text += `{"q": [${list((b) => [b.x[0] - b.shift, b.x[1], b.x[2]])}], "u": [${list((b) => b.u)}]}\n`;
  }
  for (let done = Buffer.from(text); done.length > 0;) done = done.subarray(writeSync(1, done));
}
