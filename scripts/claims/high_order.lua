-- Schemes of order two and more, through impacts and while contacts last.
local common = ...
local lab = require "impactlab"

local function of(spec, scale) return {spec = spec, scale = scale} end
local balls, chain = of({"two_balls", e = 0.8}, 2), of({"pendulum"}, 1)
local rest = of({"pendulum", q0 = {0.05, -0.3}, T = 1.1}, 1) -- lies at the stop up to 0.61 = acos(-1/3)/9.81^(1/2), and leaves
local slide, touch = of({"vibroimpact", scenario = "slide"}, 2), of({"vibroimpact", scenario = "graze"}, 2)

-- The slope of log error between N and r N steps; of several N nearby the means, as events fall anywhere in a step.
local function slope(case, norm, N, r, others)
  local sums = {0, 0}
  for level = 1, 2 do
    for _, more in ipairs(others) do
      local run = common.run(case, {steps = (level == 1 and N or r * N) + more, norms = "none"})
      sums[level] = sums[level] + math.log(run.error[norm]) / #others
    end
  end
  return (sums[1] - sums[2]) / math.log(r)
end

lab.claim{
  id = "FE-order", source = "Nurkanovic, Sperl, Albrecht & Diehl 2024; Hairer & Wanner 1996, IV.5",
  statement = "fesd with s stages is of order 2s - 1 through isolated impacts, contacts that last, and their ends",
  cases = {{problem = balls, scheme = "fesd:s=2", order = 3, steps = 800},
           {problem = balls, scheme = "fesd", order = 5, steps = 400},
           {problem = chain, scheme = "fesd:s=2", order = 3, steps = 50},
           {problem = chain, scheme = "fesd", order = 5, steps = 25},
           {problem = chain, scheme = "fesd:s=1", order = 1, steps = 800},
           {problem = slide, scheme = "fesd:s=2", order = 3, steps = 50},
           {problem = slide, scheme = "fesd", order = 5, steps = 25},
           {problem = rest, scheme = "fesd:s=1", order = 1, steps = 400},
           {problem = rest, scheme = "fesd:s=2", order = 3, steps = 50},
           {problem = rest, scheme = "fesd", order = 5, steps = 25}},
  controls = {{what = "impacts at the ends of steps (rattle)", case = 3, scheme = "rattle"},
              {what = "one stage less", case = 4, scheme = "fesd:s=2"},
              {what = "an order of the even kind, 2s", case = 2, more = 1}},
  check = function(case)
    local rows = {}
    for k, norm in ipairs{"u_L1", "q_Linf"} do
      local order = case.order + (case.more or 0)
      -- the next term of the error is h times the first: at these steps a tenth of the slope
      local what = ("|slope of %s - %d| between %d and %d steps"):format(norm, order, case.steps, 2 * case.steps)
      rows[k] = common.row(case, {what = what, measured = math.abs(slope(case, norm, case.steps, 2, {0}) - order), bound = 0.2})
    end
    return rows
  end}

-- seven places of a touch or a release inside its step: between the best and the worst an error moves by a factor of 8
local function order_two(case)
  return common.row(case, {what = "|slope of u_L1 - 2| between 100 and 1600 steps, means of seven", bound = 0.3,
                           measured = math.abs(slope(case, "u_L1", 100, 16, {0, 3, 7, 12, 18, 25, 33}) - 2)})
end

for _, c in ipairs{{"RA-order", "rattle", "Breuling, Capobianco, Eugster & Leine 2024"},
                   {"GA-order", "generalized_alpha", "Bruels, Acary & Cardona 2014; Chen, Acary, Virlez & Bruels 2013"}} do
  lab.claim{
    id = c[1], source = c[3], statement = c[2] .. " is of order 2 while contacts last and nothing hits, and its nodes do not overlap",
    cases = {{problem = touch, scheme = c[2]}, {problem = rest, scheme = c[2]}},
    controls = {{what = "an impact inside a step", problem = slide},
                {what = "velocities alone (moreau_jean)", scheme = "moreau_jean"}},
    check = function(case)
      local run = common.run(case, {steps = 300, norms = "none"})
      return {common.row(case, {what = "overlap at nodes, 300 steps", bound = common.ROUNDING,
                                measured = -run.feasibility.nodes_min}), order_two(case)}
    end}
end

lab.claim{
  id = "D1-order", source = "Schindler & Acary 2014; Siconos, D1MinusLinearOSI",
  statement = "d1minus is of order 2 while contacts last and nothing hits; contacts are at rest up to the rounding of a speed",
  cases = {{problem = touch, scheme = "d1minus"}, {problem = rest, scheme = "d1minus"}},
  controls = {{what = "an impact inside a step", problem = slide},
              {what = "a speed that rounding leaves above 0 is none of rest", scheme = "d1minus:closed=0"},
              {what = "velocities alone (moreau_jean)", case = 2, scheme = "moreau_jean"}},
  check = order_two}
