// page_audit.js - the page as a screen reader and a keyboard have it: every offence is a line. Runs in a
// copy of the page without its policy, in Chromium with --enable-blink-features=ComputedAccessibilityInfo,
// whose computedRole and computedName are those of the accessibility tree. The lines, or "clean", are left
// in a pre of that id, audit.
(function () {
  "use strict";
  var said = [], each = function (selector, look) {
    Array.prototype.forEach.call(document.querySelectorAll(selector), look);
  };
  function expect(holds, text) { if (!holds) said.push(text); }
  function role(e) { return e.computedRole; }
  function name(e) { return (e.computedName || "").trim(); }
  function called(e) { return e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + " '" + e.textContent.trim().slice(0, 40) + "'"; }

  expect("computedRole" in document.body, "the browser tells no roles");
  each("details", function (d) { d.open = true; });
  // Landmarks: one of each kind, and all that is read within one.
  [["banner", "header"], ["main", "main"], ["contentinfo", "footer"]].forEach(function (pair) {
    var all = document.querySelectorAll("body > " + pair[1]);
    expect(all.length === 1 && role(all[0]) === pair[0], "not one landmark " + pair[0]);
  });
  expect(document.querySelectorAll("nav").length <= 1, "several navigations");
  each("nav", function (n) { expect(role(n) === "navigation" && name(n), "a navigation without a name"); });
  each("body > *", function (e) {
    expect(/^(HEADER|MAIN|FOOTER|SCRIPT|PRE)$/.test(e.tagName) || e.className === "skip", called(e) + " is outside every landmark");
  });
  each("section", function (s) { expect(role(s) === "region" && name(s), called(s) + " has no name"); });
  // Headings: one first, none skips a level.
  var level = 0;
  each("h1,h2,h3,h4,h5,h6", function (h) {
    var own = Number(h.tagName[1]);
    expect(own <= level + 1 && (own > 1 || level === 0), called(h) + " follows a heading of level " + level);
    expect(role(h) === "heading" && name(h), called(h) + " is no heading");
    level = own;
  });
  expect(document.documentElement.lang && document.title, "no language or no title");
  // Pictures and tables say what they are.
  each("img", function (i) { expect(role(i) === "image" && name(i).length > 5, i.src + " has no text"); });
  each("table", function (t) {
    expect(role(t) === "table" && name(t), called(t) + " has no name");
    expect(t.tHead && t.tHead.rows.length === 1, called(t) + " has no head");
  });
  each("th", function (h) {
    expect(/^(col|row)$/.test(h.scope), called(h) + " heads nothing");
    expect(role(h) === (h.scope === "col" ? "columnheader" : "rowheader"), called(h) + " is a " + role(h));
  });
  each("a,button,input,summary,[tabindex]", function (e) {
    expect(e.tagName === "SUMMARY" || name(e), called(e) + " has no name");
  });
  each("a[href^='#']", function (a) {
    expect(document.getElementById(decodeURIComponent(a.hash.slice(1))), called(a) + " leads nowhere");
  });
  // The keyboard: the first stop is the way past the head, every stop is seen.
  var stops = document.querySelectorAll("a[href],button,input,summary,[tabindex='0']");
  expect(stops[0].className === "skip", "the first stop skips nothing");
  Array.prototype.forEach.call(stops, function (e) {
    e.focus({focusVisible: true});
    var style = getComputedStyle(e), box = e.getBoundingClientRect();
    expect(document.activeElement === e, called(e) + " takes no focus");
    expect(style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2, called(e) + " has an unseen focus");
    expect(box.width > 0 && box.left >= -1, called(e) + " has the focus out of sight");
  });
  each("[tabindex]", function (e) { expect(e.tabIndex <= 0, called(e) + " jumps the queue"); });
  // Sorting is a button, says which way, and sorts; the filter says what is left.
  each("thead th", function (h) {
    expect(h.querySelectorAll("button").length === 1, called(h) + " sorts by no button");
    expect(h.getAttribute("aria-sort") === "none", called(h) + " is sorted by nobody");
  });
  each("thead th:first-child button", function (b) {
    var head = b.parentNode, body = head.closest("table").tBodies[0], n = body.rows.length;
    b.click();
    expect(head.getAttribute("aria-sort") === "ascending", called(head) + " does not say how it is sorted");
    b.click();
    expect(head.getAttribute("aria-sort") === "descending" && body.rows.length === n, called(head) + " lost rows");
  });
  each("input.filter", function (i) {
    i.value = "nothing has this";
    i.dispatchEvent(new Event("input"));
    expect(role(i.nextSibling) === "status" && /^0 of \d+ rows$/.test(i.nextSibling.textContent), "a filter does not say what is left");
  });
  // Text stands out from what is behind it (WCAG: 4.5), in this scheme of colours.
  function parts(color) { return color.match(/[\d.]+/g).map(Number); }
  function luminance(c) {
    var l = c.slice(0, 3).map(function (v) { v /= 255; return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); });
    return 0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2];
  }
  function behind(e) {
    for (; e; e = e.parentElement) {
      var c = parts(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] === 1) return c;
    }
    return [255, 255, 255];
  }
  var seen = {};
  each("body *", function (e) {
    var own = Array.prototype.some.call(e.childNodes, function (n) { return n.nodeType === 3 && n.data.trim(); });
    if (!own || /^(SCRIPT|STYLE)$/.test(e.tagName)) return;
    var a = luminance(parts(getComputedStyle(e).color)), b = luminance(behind(e));
    var ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), key = e.tagName + e.className;
    if (!(ratio >= 4.5) && !seen[key]) said.push(called(e) + " has a contrast of " + ratio.toFixed(2));
    seen[key] = seen[key] || !(ratio >= 4.5);
  });
  var pre = document.createElement("pre");
  pre.id = "audit";
  pre.textContent = said.length ? said.slice(0, 20).join("\n") : "clean";
  document.body.appendChild(pre);
})();
