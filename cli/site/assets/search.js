// The page that searches; what is found, and how, stands in find.js.
(function () {
  "use strict";
  var search = window.GPUDOCTOR.search;

  var field = document.getElementById("query"), list = document.querySelector("[data-results]");
  var status = document.querySelector("[data-status]"), MOST = 40, LEAST = 0.15, wanted = {};
  var KINDS = { incident: "incident", "known-issue": "known issue", remedy: "remedy", fact: "fact", product: "product" };

  function element(tag, className, text) {
    var made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }
  function fits(d) {
    return Object.keys(wanted).every(function (key) { return (d[6][key] || []).indexOf(wanted[key]) >= 0; });
  }
  function show() {
    var text = field.value.trim();
    list.textContent = "";
    if (!text) { status.textContent = "Nothing is sent anywhere: the search runs in this page."; return; }
    var answer = search(text), hits = answer.hits.filter(function (hit) { return fits(hit.document); });
    var signs = Object.keys(answer.signs).length;
    hits = hits.filter(function (hit) { return hit.score >= LEAST * hits[0].score; }).slice(0, MOST);
    status.textContent = hits.length
      ? hits.length + (hits.length === 1 ? " page" : " pages") + ", the best first" + (signs ? "; " + signs + (signs === 1 ? " known sign" : " known signs") + " in the text" : "")
      : "Nothing in the knowledge base holds these words.";
    hits.forEach(function (hit) {
      var d = hit.document, row = element("li", "hit " + d[0]), head = element("p", "head");
      var link = element("a", "", d[2]);
      link.href = "../" + d[4] + "/index.html";
      head.appendChild(element("span", "badge " + d[0], KINDS[d[0]]));
      head.appendChild(document.createTextNode(" "));
      head.appendChild(link);
      row.appendChild(head);
      if (d[5]) row.appendChild(element("p", "quiet", d[5]));
      row.appendChild(element("p", "quiet id", d[1]));
      list.appendChild(row);
    });
  }
  // Behind the number sign the text stays in the browser; behind a question mark a reload would send it to the host.
  var given = new URLSearchParams(location.hash.slice(1)).get("q") || new URLSearchParams(location.search).get("q");
  if (given) field.value = given;
  var timer = 0;
  field.addEventListener("input", function () { clearTimeout(timer); timer = setTimeout(show, 120); });
  field.addEventListener("change", function () {
    var parameters = new URLSearchParams(location.search);
    parameters.delete("q");
    var rest = parameters.toString(), words = field.value && field.value.length < 1500 ? "#q=" + encodeURIComponent(field.value) : "";
    try { history.replaceState(null, "", location.pathname + (rest ? "?" + rest : "") + words); } catch (error) { /* file: in some browsers */ }
  });
  document.querySelector("[data-search-form]").addEventListener("submit", function (event) { event.preventDefault(); show(); });
  document.addEventListener("gpudoctor-filter", function (event) { wanted = event.detail; show(); });
  if (window.GPUDOCTOR_CHOSEN) wanted = window.GPUDOCTOR_CHOSEN();
  show();
})();
