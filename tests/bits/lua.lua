-- Problems written in Lua whose forces and rows use the functions of the mathematics library and
-- `^`: what they give is printed to the last bit.
local lab = require "impactlab"

local function bits(name, record)
  print(name, record.status)
  for _, u in ipairs{record.final.q, record.final.u} do
    for _, x in ipairs(u) do print(("%a"):format(x)) end
  end
end

local driven = lab.problem{
  name = "driven", horizon = 4, q0 = {1, 0.5}, u0 = {0, -0.3},
  force = function(t, q)
    return {math.sin(3 * t) - math.exp(-q[1]) * math.atan(q[2], 1 + q[1] ^ 2),
            -9.81 + math.log(2 + math.cos(t)) * (1 + q[1] * q[1]) ^ 0.3}
  end,
  constraints = function(t, q)
    local s, c = math.sin(q[1] + t), math.cos(q[1] + t)
    return {{g = q[2] + 0.1 * s, grad = {0.1 * c, 1}, dt = 0.1 * c}}
  end}
for _, scheme in ipairs{"maury", "venel", "moreau_jean", "penalty"} do
  bits(scheme, lab.run{problem = driven, scheme = scheme, steps = scheme == "penalty" and 20 or 200})
end

local sum = 0
for k = 1, 2000 do
  local x = k / 97
  sum = sum + math.tan(x) / k + math.asin(x / 21) + math.acos(x / 22) + x ^ 1.7 + math.log(x, 10) + math.log(x, 2)
end
print(("%a"):format(sum))
