-- board.lua - lab.board: cells of schemes whose answers are known, and the laws that others are known by.
local lab = require "impactlab"

local board, _, results = lab.board{schemes = {"maury", "mabrouk,impulse:as=ode,cfm=0,reflect"}, problems = {"bouncing_ball", "two_spheres"},
                        questions = {"order_u", "order_q", "overlap", "momentum", "energy", "rebound_1e-3", "rebound_3e-4", "projections_1e-3", "projections_1e-6"}}

lab.check(#board.schemes == 4 and board.schemes[3] == "impulse:as=ode,cfm=0", "a comma before a setting begins no scheme")
local at = {}
for _, c in ipairs(board.cells) do at[c.scheme .. " " .. c.question .. " " .. c.problem] = c end
local function cell(scheme, question, problem) return at[scheme .. " " .. question .. " " .. (problem or "bouncing_ball")] end

for _, problem in ipairs{"bouncing_ball", "two_spheres"} do
  local c = cell("maury", "order_u", problem)
  lab.check(c.verdict == "PASS" and math.abs(c.value - 1) <= 0.05, "maury converges with order 1 on " .. problem)
  lab.check(c.command == ("impactlab board --schemes maury --problems %s --questions order_u"):format(problem), "its command")
  lab.check(cell("maury", "overlap", problem).value <= 1e-15, "its bodies do not overlap on " .. problem)
end
local ode = cell("impulse:as=ode,cfm=0", "order_u")
lab.check(ode.verdict == "FAIL", "a push that leaves its velocity does not converge: " .. tostring(ode.reason))
-- LAW-erp-floor: over phases the error ends at (U^2/g) s/(1 - s), s = erp^2/3, U^2 = 2 g; erp = 0.2
local s = 0.2 ^ 2 / 3
lab.check(ode.floor > 0.3 * 2 * s / (1 - s) and ode.floor < 3 * 2 * s / (1 - s), "its floor is of the law's size: " .. ode.floor)
lab.check(cell("maury", "momentum", "bouncing_ball") == nil, "a ball's momentum is asked of none")
lab.check(cell("maury", "momentum", "two_spheres").value <= 1e-13, "that of two spheres is kept")
lab.check(cell("maury", "projections_1e-3").value > 5000 and cell("maury", "projections_1e-3").value < 20000,
          "an error of 1e-3, of a scheme with error 4.5 h U")
lab.check(cell("maury", "projections_1e-6").value == nil and cell("maury", "projections_1e-6").text == "-" and
          cell("maury", "projections_1e-6").reason:find("its best error here is", 1, true), "1e-6 would take 10^7 steps")

-- LAW-order-of-lines: restitution before the force keeps a bounce, after it gains g h |u|.
lab.check(math.abs(cell("mabrouk", "energy").value) <= 0.02, "mabrouk keeps a bounce")
lab.check(math.abs(cell("reflect", "energy").value - 1) <= 0.05, "reflect gains g h |u|")
lab.check(cell("maury", "energy").verdict == "REFUSED" and cell("maury", "energy").value == nil and
          cell("maury", "energy").reason:find("restitution e = 1", 1, true), "maury refuses e = 1, and says so")
-- The speed is off by 3/2 g h, and the rise begins up to h U away: 3 g h/U + h U/(1/4) = 0.74 % at h = 3e-4, U = (20)^(1/2).
lab.check(cell("mabrouk", "rebound_3e-4").value == 1, "its rebounds pass at h = 3e-4")
lab.check(cell("mabrouk", "rebound_1e-3").value < 1, "and not all at 1e-3, where h U/(1/4) = 1.8 %")

-- Nine schemes have the colours of their groups; the error 1e-3 is marked (test_lua_own.c reads what is drawn).
lab.check(results.two_spheres:figure{"work_precision", cost = "projections", name = "few"}, "a figure of few")
local _, _, many = lab.board{schemes = {"maury,paoli,venel,moreau_jean,midpoint,mabrouk,reflect,poisson,xpbd"}, problems = {"bouncing_ball"},
                             questions = {"overlap"}}
lab.check(many.bouncing_ball:figure{"work_precision", cost = "seconds", name = "many"}, "a figure of many")

-- A scheme and a problem of one's own are rows and columns too.
local still = lab.scheme{name = "still", certified = false, step = function(state) return state.q, 0 * state.u end}
local own = lab.board{schemes = {still, "maury"}, problems = {{"bouncing_ball", e = 0}}, questions = {"order_q"}, claim = "bound:1"}
lab.check(own.cells[1].scheme == "still" and own.cells[1].verdict ~= "PASS" and own.cells[2].verdict == "PASS", "a body that stays is wrong")
lab.check(own.cells[1].problem == "bouncing_ball(e=0)" and own.claim == "bound:1", "a table is a problem")

for message, spec in pairs{["unknown scheme 'mary'"] = {schemes = {"mary"}}, ["each once"] = {schemes = {"maury,maury"}},
                           ["unknown problem 'balls'"] = {problems = {"balls"}}, ["'e' is 7"] = {problems = {"bouncing_ball:e=7"}},
                           ["claim is 'falls'"] = {claim = "falls"}, ["claim is 'bound:0'"] = {claim = "bound:0"},
                           ["questions is 'weight'"] = {questions = {"weight"}}, ["nothing is left"] = {problems = {"crowd"}, questions = {"order_u"}},
                           ["one of the problems answers"] = {problems = {"sticky"}, questions = {"energy"}}} do
  local fine, why = pcall(lab.board, spec)
  lab.check(not fine and tostring(why):find(message, 1, true), message .. " is refused: " .. tostring(why))
end
