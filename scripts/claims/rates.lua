-- Rates that are proved of schemes of order 1: h^(1/2) at least. The proof for catching_up stands in
-- README.md beside this file, its constant is in sharp.lua.
local common = ...
local lab = require "impactlab"

-- ---- orders on problems that stay the same ------------------------------------------------------

-- What the judge of orders leaves to chance (harness/study/order/order.h).
local MARGIN = 0.1

local function order_at_least(case, order)
  local board = case.key == "labyrinth"
  local h, error = {}, {}
  for _, counts in ipairs(common.levels(board and 64 or 16, board and common.LEVELS or 5)) do
    for _, N in ipairs(counts) do
      local run = common.run(case, {steps = N})
      h[#h + 1], error[#error + 1] = run.h, run.error.q_Linf or 0 / 0
    end
  end
  local o = lab.order{h = h, error = error, claim = {kind = "bound", order = order}}
  local floor = o.verdict == "FAIL" and not (o.sure_high < order) -- no order at all
  local row = common.row(case, {
    what = "least order of q_Linf (95 %)", measured = floor and 0 or o.low, sense = ">=",
    bound = order - MARGIN, evidence = o.text})
  -- The judge asks for five octaves that one curve explains before it accuses; here the 99.5 % interval of fewer decides.
  if o.verdict == "INCONCLUSIVE" and not (o.sure_high < order - MARGIN) then row.inconclusive = o.reason end
  return row
end

-- Errors that h^(1/4) is added to.
local function slow(run) run.error.q_Linf = run.error.q_Linf + math.sqrt(math.sqrt(run.h)) end

-- Springs ten times as stiff err so that the judge leaves open whether their errors still fall.
local CONTROLS = {
  {what = "springs of fixed stiffness 1e3", scheme = "penalty:stiffness=1e3"},
  {what = "errors that h^(1/4) is added to", bend = slow},
  {what = "order 3/2", claimed = 1.5}}

lab.claim{
  id = "CU-order", cost = {170, 165}, source = "scripts/claims, The order of catching-up, after Moreau 1977",
  statement = "Q(t) prox-regular and Lipschitz: catching_up converges uniformly, of order 1/2 at least",
  cases = common.cases({"round_disc", "labyrinth"}, {"catching_up"}),
  controls = CONTROLS,
  check = common.where("CU-order", function(case) return order_at_least(case, case.claimed or 0.5) end)}

lab.claim{
  id = "BV-2013", cost = {160, 160}, source = "Bernicot & Venel 2013, by its abstract",
  statement = "venel's scheme converges uniformly, of order 1/2 at least",
  cases = common.cases({"round_disc", "labyrinth"}, {"venel"}),
  controls = CONTROLS,
  check = common.where("BV-2013", function(case) return order_at_least(case, case.claimed or 0.5) end)}
