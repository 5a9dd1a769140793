-- What a sweep stored it finds again: every problem, with its defaults and with one number given for a vector.
local lab = require "impactlab"

local PROBLEMS = {
  "bouncing_ball", "corner", "cradle", {"crowd", N = 2}, {"crystal", rows = 2},
  {"crystal", rows = 2, masses = 2}, "gluey", {"growing_radii", N = 3}, {"growing_radii", N = 3, masses = {2}},
  {"impact", N = 3}, "labyrinth", "nonuniqueness", "pendulum", {"pile", N = 2}, {"sticky", N = 3},
  {"sticky", N = 3, masses = {2}, radii = 0.01}, "two_spheres", {"two_spheres", masses = {2}, radii = {0.2}},
  {"two_spheres", scenario = "pressed", masses = 2}, "vibroimpact"}

local function swept(problem)
  for _, scheme in ipairs{"maury", "venel", "gluey_maury"} do
    local fine, r = pcall(function()
      return lab.sweep{name = "again", problem = problem, scheme = scheme, steps = {2, 3}}:run()
    end)
    if fine then return r end
  end
  error("no scheme runs " .. tostring(problem[1] or problem))
end

for _, problem in ipairs(PROBLEMS) do
  local first, second = swept(problem), swept(problem)
  local name = type(problem) == "table" and problem[1] or problem
  lab.check(first.found == 0 and second.found == 2 and second.ran == 0, name .. ": found the second time")
end
