-- schemes.lua - the board of three problems: does the error of every scheme in u_L1 vanish with h, on a ball with e = 0 and
-- e = 1/2 and on two spheres; what a bounce gains with e = 1; figures of work and precision.
--
--   build/impactlab sweep scripts/schemes.lua -j 2
--
-- `make board` asks more, and engines too (scripts/board).
local lab = require "impactlab"

local ORDER = 95 -- place in the report
local PROBLEMS = {"bouncing_ball", "bouncing_ball:e=0.5", "two_spheres"}

local board, _, results = lab.board{problems = PROBLEMS, questions = {"order_u", "overlap", "energy"}}

for k, problem in ipairs(PROBLEMS) do
  for i, cost in ipairs{"projections", "seconds"} do
    results[problem]:figure{"work_precision", cost = cost, order = ORDER + 3 * k + i}
  end
end

local at = {}
for _, cell in ipairs(board.cells) do at[cell.scheme .. " " .. cell.question .. " " .. cell.problem] = cell end

local rows = {}
for k, row in ipairs(board.rows) do
  local function of(question, problem) return at[row.scheme .. " " .. question .. " " .. problem] end
  rows[k] = {row.group, row.scheme}
  for _, problem in ipairs(PROBLEMS) do
    local cell = of("order_u", problem)
    rows[k][#rows[k] + 1] = cell.text == "-" and "-" or ("%s, %s"):format(cell.verdict, cell.text)
  end
  rows[k][6], rows[k][7] = of("overlap", PROBLEMS[1]).text, of("energy", "bouncing_ball").text
end
lab.table{name = "schemes", order = ORDER, heads = {"group", "scheme", "ball, e = 0", "ball, e = 1/2", "two spheres",
  "deepest overlap, ball", "e = 1: a bounce gains, in g h |u|"}, rows = rows,
  caption = "What a scheme does: the verdict on u_L1 with its order, or with the error that is left at its finest steps; the deepest " ..
    "overlap at nodes over all these steps; what a bounce with e = 1 gains, over fifty. -: the scheme refuses the problem. FAIL is a " ..
    "floor, and no blame: what engines and springs tend to is another motion (schemes/README.md)."}

-- Work and precision of high order: a pendulum that strikes a stop and rests on it. Numbers of steps that do not halve.
local CLASSES = {
  {schemes = {"maury", "moreau_jean", "mabrouk", "rattle", "generalized_alpha"}, steps = {67, 271, 1049, 4201, 16411}},
  {schemes = {"fesd:s=1", "fesd:s=2", "fesd:s=3"}, steps = {11, 23, 47, 97, 193, 389, 769, 1543}}}
local TARGET = 1e-6

-- Steps for the error TARGET: interpolated, or as many more than the last as order one takes, and whether it is so.
local function price(x, y)
  for k = 2, #x do
    if y[k] <= TARGET then
      return x[k - 1] * (x[k] / x[k - 1]) ^ (math.log(y[k - 1] / TARGET) / math.log(y[k - 1] / y[k])), true
    end
  end
  return x[#x] * y[#x] / TARGET, false
end

local series, prices, at = {}, {}, {}
for k, class in ipairs(CLASSES) do
  local records = lab.sweep{name = "order-price-" .. k, problem = "pendulum", schemes = class.schemes, steps = class.steps,
                            norms = "none"}:run():records()
  for i, scheme in ipairs(class.schemes) do
    local x, y, reached = {}, {}, nil
    for j, steps in ipairs(class.steps) do x[j], y[j] = steps, records[(i - 1) * #class.steps + j].error.u_L1 end
    series[#series + 1] = {label = scheme, x = x, y = y, style = "linespoints"}
    at[scheme], reached = price(x, y)
    prices[#prices + 1] = ("%s %.2g%s"):format(scheme, at[scheme], reached and "" or "*")
  end
end
lab.figure{name = "order-price", order = ORDER + 2, width = 18, height = 11, xlabel = "steps", ylabel = "error in u_L1", logx = true, logy = true,
  series = series, key = "outside",
  caption = "What order is worth: a pendulum that strikes a stop and rests on it. Steps for an error of 1e-6 in u_L1: " ..
    table.concat(prices, ", ") .. " (*: not reached here; by order one from the last)."}
print("steps for 1e-6 on the pendulum: " .. table.concat(prices, ", "))
lab.check(math.min(at.maury, at.moreau_jean, at.mabrouk) >= 1000 * at["fesd:s=3"], "1e-6 takes a thousand times the steps of order five at order one")
