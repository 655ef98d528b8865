// Search by error line and by words: the same tables and the same sums as `gpudoctor search`.
(function () {
  "use strict";
  var W = window.GPUDOCTOR_WORDS, S = window.GPUDOCTOR_SIGNS;

  // Words: BM25 over three levels of tokens.
  function tokens(text) {
    var found = [];
    (text.toLowerCase().match(/[^\s,;()\[\]{}"'`<>|]+/g) || []).forEach(function (word) {
      var plain = word.replace(/^[.:!?\-=\/]+|[.:!?\-=\/]+$/g, "");
      if (!plain) return;
      found.push(plain);
      var parts = plain.split(/[.\/:=]/).filter(Boolean);
      if (parts.length > 1) found = found.concat(parts);
      parts.forEach(function (part) {
        var small = part.split(/[_-]/).filter(function (p) { return p.length > 1; });
        if (small.length > 1) found = found.concat(small);
      });
      var characters = plain.match(/[\u4e00-\u9fff]/g) || [];
      for (var i = 0; i + 1 < characters.length; i++) found.push(characters[i] + characters[i + 1]);
    });
    return found;
  }
  function byWords(text) {
    var scores = new Map(), count = W.documents.length;
    new Set(tokens(text)).forEach(function (token) {
      var list = Object.prototype.hasOwnProperty.call(W.words, token) ? W.words[token] : [];
      var holding = list.length / 2, rarity = Math.log(1 + (count - holding + 0.5) / (holding + 0.5));
      for (var i = 0; i < list.length; i += 2) {
        var n = list[i + 1], share = W.documents[list[i]][3] / W.average;
        var worth = rarity * n * (W.saturation + 1) / (n + W.saturation * (1 - W.lengthShare + W.lengthShare * share));
        scores.set(list[i], (scores.get(list[i]) || 0) + worth);
      }
    });
    scores.forEach(function (score, i) { scores.set(i, rounded(score)); });
    return scores;
  }

  // Signs: the signatures of the knowledge base, tried on each line.
  var compiled = new Map();
  function expression(pair) {
    var key = pair[1] + pair[0];
    if (!compiled.has(key)) {
      try { compiled.set(key, new RegExp(pair[0], pair[1])); } catch (error) { compiled.set(key, null); }
    }
    return compiled.get(key);
  }
  function valueOf(signature, line) {
    var found = null;
    if (signature[1]) {
      var pattern = expression(signature[1]);
      found = pattern && pattern.exec(line);
      if (!found) return null;
    }
    if (signature[2]) {
      var unless = expression(signature[2]);
      if (!unless || unless.test(line)) return null;
    }
    if (signature[4] === "true") return true;
    if (signature[4] === "false") return false;
    var value = signature[4], groups = (found && found.groups) || {};
    Object.keys(groups).forEach(function (name) { value = value.split("{" + name + "}").join(groups[name] || ""); });
    return value;
  }
  var CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
  function readSigns(text) {
    var lines = text.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/).slice(0, S.lines).map(function (line) {
      return line.replace(CONTROL, "").slice(0, S.longest);
    });
    var lowered = lines.map(function (line) { return line.length <= S.sentence ? line.toLowerCase() : ""; });
    var whole = lines.join("\n"), spoken = lowered.join("\n"), possible = [], values = {}, at = new Set();
    function within(signature, text) {
      return signature[0].some(function (literal) { return text.indexOf(literal) >= 0; });
    }
    Object.keys(S.signatures).forEach(function (fact) {
      S.signatures[fact].forEach(function (signature) {
        if (within(signature, signature[3] ? spoken : whole)) possible.push([fact, signature]);
      });
    });
    lines.forEach(function (line, number) {
      possible.forEach(function (pair) {
        var seen = pair[1][3] ? lowered[number] : line;
        if (pair[0] in values || !within(pair[1], seen)) return;
        var value = valueOf(pair[1], seen);
        if (value !== null) { values[pair[0]] = value; at.add(line); }
      });
    });
    return { values: values, lines: Array.from(at) };
  }
  function signsIn(text) { return readSigns(text).values; }

  // Rules: how well each incident fits the signs; what is not a sign is not known.
  function holds(leaf, signs) {
    if (!(leaf[1] in signs)) return null;
    if (leaf[2] === "known") return true;
    return leaf[2] === "in" ? leaf[3].indexOf(signs[leaf[1]]) >= 0 : null;
  }
  function evaluate(when, signs) {
    if (when[0] === "is") return holds(when, signs);
    if (when[0] === "not") { var inner = evaluate(when[1], signs); return inner === null ? null : !inner; }
    var decides = when[0] === "any", unknown = false;
    for (var i = 0; i < when[1].length; i++) {
      var one = evaluate(when[1][i], signs);
      if (one === decides) return decides;
      unknown = unknown || one === null;
    }
    return unknown ? null : !decides;
  }
  function leaves(when) {
    if (when[0] === "is") return [when];
    if (when[0] === "not") return leaves(when[1]);
    return when[1].reduce(function (found, part) { return found.concat(leaves(part)); }, []);
  }
  function byRules(signs) {
    var spread = {}, touched = {}, scores = {}, names = Object.keys(S.rules);
    if (!Object.keys(signs).length) return scores;
    names.forEach(function (name) {
      touched[name] = new Set();
      S.rules[name].forEach(function (rule) {
        leaves(rule[1]).forEach(function (leaf) { if (leaf[1] in signs) touched[name].add(leaf[1]); });
      });
      touched[name].forEach(function (fact) { spread[fact] = (spread[fact] || 0) + 1; });
    });
    names.forEach(function (name) {
      if (!touched[name].size) return;
      var worth = [];
      S.rules[name].forEach(function (rule) {
        var truth = evaluate(rule[1], signs);
        var counts = leaves(rule[1]).filter(function (leaf) { return holds(leaf, signs); }).map(function (leaf) { return spread[leaf[1]]; });
        if (truth === false || !counts.length) return;
        worth.push((truth ? rule[0] : rule[0] * S.partly) * Math.log2(1 + names.length / Math.min.apply(null, counts)));
      });
      if (!worth.length) return;
      var best = Math.max.apply(null, worth), sum = worth.reduce(function (a, b) { return a + b; }, 0);
      scores[name] = best + S.more * (sum - best);
    });
    return scores;
  }

  function rounded(score) { return Math.round(score * 1000) / 1000; }
  var numbers = {};
  W.documents.forEach(function (d, i) { numbers[d[0] + " " + d[1]] = i; });
  function search(text) {
    var read = readSigns(text), signs = read.values, rules = byRules(signs);
    var scores = byWords(text.length > S.long && read.lines.length ? read.lines.join("\n") : text);
    function add(key, score) { var i = numbers[key]; if (i !== undefined) scores.set(i, (scores.get(i) || 0) + score); }
    Object.keys(signs).forEach(function (fact) { add("fact " + fact, S.weight); });
    Object.keys(rules).forEach(function (name) { add("incident " + name, S.weight * rules[name]); });
    var found = Array.from(scores, function (pair) { return { document: W.documents[pair[0]], score: rounded(pair[1]) }; });
    found.sort(function (a, b) {
      var d = b.score - a.score;
      var x = a.document[0] + " " + a.document[1], y = b.document[0] + " " + b.document[1];
      return d || (x < y ? -1 : x > y ? 1 : 0);
    });
    return { hits: found, signs: signs };
  }
  window.GPUDOCTOR = { search: search, signsIn: signsIn, tokens: tokens };

  // The page.
  var field = document.getElementById("query"), list = document.querySelector("[data-results]");
  var status = document.querySelector("[data-status]"), MOST = 40, LEAST = 0.15, wanted = {};
  var KINDS = { incident: "incident", remedy: "remedy", fact: "fact" };

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
  var given = new URLSearchParams(location.search).get("q");
  if (given) field.value = given;
  var timer = 0;
  field.addEventListener("input", function () { clearTimeout(timer); timer = setTimeout(show, 120); });
  field.addEventListener("change", function () {
    var parameters = new URLSearchParams(location.search);
    if (field.value && field.value.length < 1500) parameters.set("q", field.value); else parameters.delete("q");
    try { history.replaceState(null, "", location.pathname + "?" + parameters.toString()); } catch (error) { /* file: in some browsers */ }
  });
  document.querySelector("[data-search-form]").addEventListener("submit", function (event) { event.preventDefault(); show(); });
  document.addEventListener("gpudoctor-filter", function (event) { wanted = event.detail; show(); });
  if (window.GPUDOCTOR_CHOSEN) wanted = window.GPUDOCTOR_CHOSEN();
  show();
})();
