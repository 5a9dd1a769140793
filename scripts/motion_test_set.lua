-- motion_test_set.lua - exact motions with impacts, for other programs to compare with:
--
--   impactlab sweep scripts/motion_test_set.lua --trust -- FOLDER      make motion-test-set
--
-- FOLDER/NAME.json: the data of a problem; its exact (q, u) at some 50 times, twice where u jumps; its
-- impacts, with their times, velocities before and after, and kinetic energies. NAME.csv: t, q, u alone. All numbers have
-- 17 digits. SHA256SUMS, README.md and read.py, which checks the sums and reads a motion, stand beside them.
local lab = require "impactlab"
local FOLDER = arg[1] or error("motion_test_set.lua: the folder", 0)
local PROGRAM = arg[2] or "impactlab"
local VERSION, TIMES = "1", 50

local MOTIONS = {
  {"ball-inelastic", "bouncing_ball", "a ball falls and stays"}, {"ball-half", "bouncing_ball e=0.5", "impacts that accumulate"},
  {"ball-elastic", "bouncing_ball e=1", "a ball that bounces for ever"},
  {"spheres-free", "two_spheres", "two spheres meet obliquely"}, {"spheres-pressed", "two_spheres scenario=pressed", "and are pressed together"},
  {"charged", "charged", "two charges that repel each other and meet"}, {"corner", "corner", "a point between two half-planes"},
  {"cradle-inelastic", "cradle", "a row of balls is struck"}, {"cradle-elastic", "cradle e=1", "the same with e = 1, by Moreau's law"},
  {"cradle-pairs", "cradle e=1 law=pairs", "the same, one pair after the other"},
  {"sticky", "sticky N=8", "bodies on a line that stick"}, {"pressureless", "pressureless", "sticky particles of a gas"},
  {"pendulum", "pendulum", "a chain against a stop, M is not diagonal"}, {"pendulum-half", "pendulum e=0.5", "the same with e = 1/2"},
  {"two-balls", "two_balls", "two balls joined by a stiff spring"}, {"vibroimpact", "vibroimpact", "walls that sink, with kinks"},
  {"growing-radii", "growing_radii", "spheres that grow"}, {"graze", "graze", "a bump is touched without an impact"},
  {"crystal", "crystal", "discs at rest with more contacts than unknowns"}, {"segment", "segment", "a point swept by a segment, order 1"},
  {"labyrinth", "labyrinth", "a ball among walls and holes, order 1"}, {"gluey", "gluey", "contacts that hold"}}

local READER = [[
"""Read a motion of the test set: motion("ball-half").q[k] at .t[k]; the sums are checked."""
import csv, hashlib, json, pathlib, types

HERE = pathlib.Path(__file__).resolve().parent
SUMS = dict(reversed(line.split()) for line in (HERE / "SHA256SUMS").read_text().splitlines())

def text(name):
    data = (HERE / name).read_bytes()
    if hashlib.sha256(data).hexdigest() != SUMS[name]:
        raise ValueError("%s is not what SHA256SUMS says" % name)
    return data.decode()

def motion(name):
    """t, q, u, impacts and data; at a jump of u the time stands twice, with both limits."""
    return types.SimpleNamespace(**json.loads(text(name + ".json")))

def table(name):
    return list(csv.DictReader(text(name + ".csv").splitlines()))
]]

local function number(x) return ("%.17g"):format(x) end

local function numbers(list)
  local out = {}
  for k, x in ipairs(list) do out[k] = number(x) end
  return "[" .. table.concat(out, ", ") .. "]"
end

local function write(name, text)
  local file = assert(io.open(FOLDER .. "/" .. name, "w"))
  assert(file:write(text))
  assert(file:close())
end

local function output(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read("a")
  assert(pipe:close(), command)
  return text
end

-- State k of a solution: an array.
local function at(columns, k)
  local x = {}
  for i = 1, #columns do x[i] = columns[i][k] end
  return x
end

local function energy(mass, u)
  local twice, d = 0, #u
  for i = 1, d do
    if #mass == d then
      twice = twice + mass[i] * u[i] ^ 2
    else
      for j = 1, d do twice = twice + u[i] * mass[(i - 1) * d + j] * u[j] end
    end
  end
  return twice / 2
end

-- The jumps of u at the times that stand twice.
local function impacts(exact, mass)
  local list = {}
  for k = 2, #exact.t do
    local before, after, jump = at(exact.u, k - 1), at(exact.u, k), 0
    for i = 1, #after do jump = math.max(jump, math.abs(after[i] - before[i])) end
    if exact.t[k] == exact.t[k - 1] and jump > 0 then
      list[#list + 1] = ('{"t": %s, "before": %s, "after": %s, "energy_before": %s, "energy_after": %s}'):format(
        number(exact.t[k]), numbers(before), numbers(after), number(energy(mass, before)), number(energy(mass, after)))
    end
  end
  return list
end

-- The mass as numbers: one a coordinate, or all rows of the matrix.
local function mass_of(data)
  local rows, list = "", {}
  for found in data:gmatch('"mass": (%b[])') do rows = found end -- a parameter may have that name, and stands before
  for x in rows:gmatch("[-+%d.eE]+") do list[#list + 1] = tonumber(x) end
  return list
end

local function motion(name, words, title)
  local parts = {}
  for word in words:gmatch("%S+") do parts[#parts + 1] = word end
  local problem, set = {parts[1]}, {}
  for k = 2, #parts do
    local key, value = parts[k]:match("^(.-)=(.*)$")
    problem[key], set[#set + 1] = value, "--set " .. parts[k]
  end
  local exact = lab.exact{problem = problem, points = TIMES}
  local data = output(("%s show %s %s --data --json"):format(PROGRAM, parts[1], table.concat(set, " "))):gsub("%s+$", "")
  local mass = mass_of(data)
  local t, q, u, csv, head = {}, {}, {}, {}, {"t"}
  for i = 1, #exact.q do head[#head + 1] = "q" .. i - 1 end
  for i = 1, #exact.u do head[#head + 1] = "u" .. i - 1 end
  for k = 1, #exact.t do
    local line = {number(exact.t[k])}
    for _, columns in ipairs{exact.q, exact.u} do
      for i = 1, #columns do line[#line + 1] = number(columns[i][k]) end
    end
    t[k], q[k], u[k], csv[k] = exact.t[k], numbers(at(exact.q, k)), numbers(at(exact.u, k)), table.concat(line, ",")
  end
  local jumps = #mass > 0 and impacts(exact, mass) or {}
  write(name .. ".csv", table.concat(head, ",") .. "\n" .. table.concat(csv, "\n") .. "\n")
  write(name .. ".json", ('{"name": "%s", "title": "%s", "version": "%s",\n"data": %s,\n"origin": "%s",\n"t": %s,\n"q": [%s],\n"u": [%s],\n"impacts": [%s]}\n')
    :format(name, title, VERSION, data, exact.origin, numbers(t), table.concat(q, ",\n"), table.concat(u, ",\n"), table.concat(jumps, ",\n")))
  return ("| `%s` | `%s` | %s | %d | %d |"):format(name, words, title, #exact.q, #jumps)
end

local rows = {}
for k, m in ipairs(MOTIONS) do rows[k] = motion(table.unpack(m)) end
write("read.py", READER)
write("README.md", ([[
# Motions with impacts, exactly

Version %s, made by impactlab %s (`make motion-test-set`). Frictionless contact, `M du = f dt + sum lambda_i grad g_i`, `u+ = P_C u- - e P_N u-`
at an impact. `NAME.json` has the data of a problem, its exact `q` and `u` at %d times, or more where it has many impacts (17 digits; a time at which the
motion is not smooth stands twice, with both limits), and its impacts: times, velocities before and after, kinetic energies. `NAME.csv` has t, q, u alone. `read.py` reads both and checks
`SHA256SUMS`. What a problem is: `impactlab show PROBLEM`.

| name | problem | what | d | impacts |
|---|---|---|---|---|
%s
]]):format(VERSION, lab.version, TIMES, table.concat(rows, "\n")))
print(#MOTIONS .. " motions")
