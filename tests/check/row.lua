-- says: a table with the key 'floor'
local lab = require "impactlab"
lab.problem{
  name = "row", horizon = 1, q0 = {1, 1},
  constraints = function(t, q)
    local rows = {{g = q[1], grad = {1, 0}}}
    rows.floor = {g = q[2], grad = {0, 1}}
    return rows
  end}
