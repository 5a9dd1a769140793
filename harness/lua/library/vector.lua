-- vector.lua - arrays of numbers that add: x + y, x - y, a x, x a, x / a, -x, coordinate by coordinate and with
-- one rounding each. Of two operands one may be a plain array.
local _, host = ...
local next, type, error, setmetatable, format = next, type, error, setmetatable, string.format

local meta = {__metatable = "impactlab", __name = "impactlab.vector"}

local function number(x, k)
  local value = x[k]
  if type(value) == "number" then return value end
  error(format("coordinate %d of a vector is a %s; allowed: a number", k, type(value)), 3)
end

-- The length of x, and of y, of two operands that add.
local function length_of_sum(x, y)
  if type(x) == "number" or type(y) == "number" then error("a vector and a number cannot be added", 3) end
  for _, z in next, {x, y} do
    if type(z) ~= "table" then error(format("a vector meets a %s; allowed: a vector", type(z)), 3) end
  end
  if #x ~= #y then error(format("vectors of %d and %d numbers cannot be added", #x, #y), 3) end
  return #x
end

-- Vector and factor of two operands in any order.
local function expect_factor(x, a)
  if type(x) == "table" and type(a) == "number" then return end
  local odd = (type(x) ~= "table" and type(x) ~= "number") and x or a
  if type(odd) ~= "table" and type(odd) ~= "number" then
    error(format("a vector meets a %s; allowed: a number", type(odd)), 3)
  end
  error("a vector is multiplied and divided by numbers alone", 3)
end

function meta.__add(x, y)
  local z = {}
  for k = 1, length_of_sum(x, y) do z[k] = number(x, k) + number(y, k) end
  return setmetatable(z, meta)
end

function meta.__sub(x, y)
  local z = {}
  for k = 1, length_of_sum(x, y) do z[k] = number(x, k) - number(y, k) end
  return setmetatable(z, meta)
end

function meta.__mul(x, a)
  if type(x) == "number" then x, a = a, x end
  expect_factor(x, a)
  local z = {}
  for k = 1, #x do z[k] = number(x, k) * a end
  return setmetatable(z, meta)
end

function meta.__div(x, a)
  expect_factor(x, a)
  local z = {}
  for k = 1, #x do z[k] = number(x, k) / a end
  return setmetatable(z, meta)
end

function meta.__unm(x)
  local z = {}
  for k = 1, #x do z[k] = -number(x, k) end
  return setmetatable(z, meta)
end

host.vector_type(meta)
