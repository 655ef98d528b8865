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

  // Signs: what engine/language/matching.py and phrases.py do, with the tables that they use.
  var compiled = new Map();
  function expression(pair, flags) {
    var key = (flags || "") + pair[1] + pair[0];
    if (!compiled.has(key)) {
      try { compiled.set(key, new RegExp(pair[0], pair[1] + (flags || ""))); } catch (error) { compiled.set(key, null); }
    }
    return compiled.get(key);
  }
  function within(literals, text) {
    return literals.some(function (literal) { return text.indexOf(literal) >= 0; });
  }
  // Where a wording of the phrase stands in the line and is not denied.
  function places(name, line) {
    var phrase = S.phrases[name], found = [];
    phrase[1].forEach(function (wording) {
      if (line.indexOf(wording[0]) < 0) return;
      var pattern = expression(wording[1], "g"), match, count = 0;
      if (!pattern) return;
      pattern.lastIndex = 0;
      while (count++ < S.most && (match = pattern.exec(line))) {
        if (!match[0]) pattern.lastIndex++;
        var before = line.slice(0, match.index);
        if (!(phrase[0] && S.denials.some(function (denial) { return before.endsWith(denial); }))) found.push([match.index, match.index + match[0].length]);
      }
    });
    return found;
  }
  function together(one, other, line) {
    var swap = other[0] < one[0] || (other[0] === one[0] && other[1] < one[1]);
    var end = (swap ? other : one)[1], start = (swap ? one : other)[0];
    return start - end >= 0 && start - end <= S.within && !expression(S.sentenceEnds).test(line.slice(end, start));
  }
  function near(signature, line) {
    var spans = places(signature[5][0], line);
    if (!spans.length) return false;
    if (signature[5].length > 1) {
      var others = places(signature[5][1], line);
      if (!spans.some(function (one) { return others.some(function (other) { return together(one, other, line); }); })) return false;
    }
    return !signature[6].some(function (name) { return places(name, line).length; });
  }
  function match(signature, line) {
    if (signature[5].length && !near(signature, line)) return null;
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
  function asWords(line) { return line.length <= S.sentence ? line.toLowerCase() : ""; }
  function read(signature, line) {
    var text = signature[3] ? asWords(line) : line;
    return within(signature[0], text) ? match(signature, text) : null;
  }
  var CONTROL = new RegExp("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f" +
    "\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}" +
    "\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]", "gu");
  function readSigns(text) {
    var lines = text.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/).slice(0, S.lines).map(function (line) {
      return line.replace(CONTROL, "").slice(0, S.longest);
    });
    var lowered = lines.map(asWords), whole = lines.join("\n"), spoken = lowered.join("\n");
    var sharing = new Map(), values = {}, at = new Set();
    Object.keys(S.signatures).forEach(function (fact) {
      S.signatures[fact].forEach(function (signature) {
        var key = JSON.stringify([signature[3], signature[0]]);
        if (!sharing.has(key)) sharing.set(key, { words: signature[3], literals: signature[0], sharers: [] });
        sharing.get(key).sharers.push([fact, signature]);
      });
    });
    var possible = Array.from(sharing.values()).filter(function (group) { return within(group.literals, group.words ? spoken : whole); });
    lines.forEach(function (line, number) {
      possible.forEach(function (group) {
        var text = group.words ? lowered[number] : line;
        if (!within(group.literals, text)) return;
        group.sharers.forEach(function (pair) {
          var value = pair[0] in values ? null : match(pair[1], text);
          if (value !== null) { values[pair[0]] = value; at.add(line); }
        });
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
    Object.keys(rules).forEach(function (name) {
      add("incident " + name, S.weight * rules[name]);
      add("known-issue " + name, S.weight * rules[name]);
    });
    var found = Array.from(scores, function (pair) { return { document: W.documents[pair[0]], score: rounded(pair[1]) }; });
    found.sort(function (a, b) {
      var d = b.score - a.score;
      var x = a.document[0] + " " + a.document[1], y = b.document[0] + " " + b.document[1];
      return d || (x < y ? -1 : x > y ? 1 : 0);
    });
    return { hits: found, signs: signs };
  }
  window.GPUDOCTOR = { search: search, signsIn: signsIn, read: read, tokens: tokens };
})();
