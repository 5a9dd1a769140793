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
