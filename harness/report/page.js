// Tables sort by a click on a head, and long ones filter; without this script they are only read.
(function () {
  "use strict";
  function value(cell) {
    var text = cell ? cell.textContent.trim() : "", x = parseFloat(text);
    return isNaN(x) || !/^[-+.0-9]/.test(text) ? text.toLowerCase() : x;
  }
  function compare(a, b) {
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  function sort(table, column) {
    var head = table.tHead.rows[0].cells[column], body = table.tBodies[0];
    var down = head.getAttribute("aria-sort") === "ascending";
    var rows = Array.prototype.slice.call(body.rows);
    rows.sort(function (a, b) {
      return (down ? -1 : 1) * compare(value(a.cells[column]), value(b.cells[column]));
    });
    rows.forEach(function (row) { body.appendChild(row); });
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (c) { c.setAttribute("aria-sort", "none"); });
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
  }
  Array.prototype.forEach.call(document.querySelectorAll("table"), function (table) {
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (cell, column) {
      var button = document.createElement("button");
      button.type = "button";
      button.title = "sort by this column";
      cell.setAttribute("aria-sort", "none");
      while (cell.firstChild) button.appendChild(cell.firstChild);
      cell.appendChild(button);
      button.addEventListener("click", function () { sort(table, column); });
    });
    if (table.tBodies[0].rows.length < 12 || table.className === "matrix") return;
    var choices = [];
    var input = document.createElement("input");
    input.type = "search";
    input.className = "filter";
    input.placeholder = "filter rows";
    input.setAttribute("aria-label", "filter the rows of the table below");
    var left = document.createElement("span");
    left.className = "rows";
    left.setAttribute("role", "status");
    function narrow() {
      var word = input.value.toLowerCase(), rows = table.tBodies[0].rows, shown = 0;
      Array.prototype.forEach.call(rows, function (row) {
        row.hidden = row.textContent.toLowerCase().indexOf(word) < 0 || choices.some(function (c) {
          return c.select.value && row.cells[c.column].textContent.trim() !== c.select.value;
        });
        shown += row.hidden ? 0 : 1;
      });
      left.textContent = shown < rows.length ? shown + " of " + rows.length + " rows" : "";
    }
    input.addEventListener("input", narrow);
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (cell, column) {
      if (!cell.hasAttribute("data-filter")) return;
      var select = document.createElement("select"), known = {}, name = cell.textContent.trim();
      select.setAttribute("aria-label", "only this " + name);
      select.add(new Option("every " + name, ""));
      Array.prototype.forEach.call(table.tBodies[0].rows, function (row) {
        var text = row.cells[column].textContent.trim();
        if (text && !known[text]) { known[text] = true; select.add(new Option(text, text)); }
      });
      select.addEventListener("change", narrow);
      choices.push({select: select, column: column});
      table.parentNode.parentNode.insertBefore(select, table.parentNode);
    });
    table.parentNode.parentNode.insertBefore(input, table.parentNode);
    table.parentNode.parentNode.insertBefore(left, table.parentNode);
  });
})();
