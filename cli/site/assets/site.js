// Colours, copying, tabs, filters, keys. Everything works without it, only less comfortably.
(function () {
  "use strict";
  var root = document.documentElement;

  function keep(name, value) { try { localStorage.setItem(name, value); } catch (error) { /* not kept */ } }
  function kept(name) { try { return localStorage.getItem(name); } catch (error) { return null; } }
  function all(selector, within) { return Array.prototype.slice.call((within || document).querySelectorAll(selector)); }

  // Dark or light.
  all("[data-theme-switch]").forEach(function (button) {
    button.addEventListener("click", function () {
      var system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
      var next = (root.getAttribute("data-theme") || system) === "dark" ? "light" : "dark";
      root.setAttribute("data-theme", next);
      keep("gpudoctor-theme", next);
    });
  });

  // Copying. Hosts without TLS have no clipboard, so there is the older way as well.
  var said = document.createElement("div");
  said.className = "unseen";
  said.setAttribute("role", "status");
  document.body.appendChild(said);

  function copyOldWay(text) {
    var area = document.createElement("textarea");
    area.value = text;
    area.className = "unseen";
    document.body.appendChild(area);
    area.select();
    var done = document.execCommand("copy");
    document.body.removeChild(area);
    return done;
  }
  function copied(button, done) {
    button.textContent = done ? "Copied" : "Select and copy";
    said.textContent = done ? "Copied" : "";
    setTimeout(function () { button.textContent = "Copy"; said.textContent = ""; }, 1600);
  }
  function copy(button, text) {
    text = text.replace(/^\$ /gm, "");
    if (navigator.clipboard && window.isSecureContext) {
      navigator.clipboard.writeText(text).then(
        function () { copied(button, true); },
        function () { copied(button, copyOldWay(text)); });
    } else copied(button, copyOldWay(text));
  }
  all(".code").forEach(function (box) {
    var button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy these lines");
    button.addEventListener("click", function () { copy(button, box.querySelector("pre").textContent); });
    box.appendChild(button);
  });

  // Tabs by runtime; the choice is kept for the next page.
  function choose(tabs, tab, focus) {
    all("[role=tab]", tabs).forEach(function (other) {
      var on = other === tab;
      other.setAttribute("aria-selected", String(on));
      other.tabIndex = on ? 0 : -1;
      document.getElementById(other.getAttribute("aria-controls")).classList.toggle("later", !on);
    });
    if (focus) tab.focus();
  }
  var sets = all("[data-tabs]");
  function chooseEverywhere(runtime) {
    sets.forEach(function (tabs) {
      var tab = tabs.querySelector('[data-runtime="' + runtime + '"]');
      if (tab) choose(tabs, tab, false);
    });
    keep("gpudoctor-runtime", runtime);
  }
  sets.forEach(function (tabs) {
    tabs.addEventListener("click", function (event) {
      var tab = event.target.closest("[role=tab]");
      if (tab) { choose(tabs, tab, false); chooseEverywhere(tab.getAttribute("data-runtime")); }
    });
    tabs.addEventListener("keydown", function (event) {
      var listed = all("[role=tab]", tabs), at = listed.indexOf(event.target);
      var step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (at < 0 || !(step || event.key === "Home" || event.key === "End")) return;
      event.preventDefault();
      var next = event.key === "Home" ? 0 : event.key === "End" ? listed.length - 1 : (at + step + listed.length) % listed.length;
      choose(tabs, listed[next], true);
      keep("gpudoctor-runtime", listed[next].getAttribute("data-runtime"));
    });
  });
  var runtime = kept("gpudoctor-runtime");
  if (runtime && /^[a-z]+$/.test(runtime)) sets.forEach(function (tabs) {
    var tab = tabs.querySelector('[data-runtime="' + runtime + '"]');
    if (tab) choose(tabs, tab, false);
  });

  // An address with an anchor opens what it points to; paper shows everything.
  function reveal() {
    var target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (var part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
    if (target && target.closest && target.closest("details")) target.scrollIntoView();
  }
  addEventListener("hashchange", reveal);
  reveal();
  addEventListener("beforeprint", function () { all("details").forEach(function (d) { d.open = true; }); });

  // Filters: of a list on the page, or, on the search page, of what was found. They stand in the address.
  all("[data-filters]").forEach(function (form) {
    var selects = all("select", form), list = document.querySelector("[data-filtered]");
    var status = document.querySelector("[data-status]");
    form.hidden = false;
    function chosen() {
      var found = {};
      selects.forEach(function (select) { if (select.value) found[select.name] = select.value; });
      return found;
    }
    function apply() {
      var wanted = chosen();
      if (list) {
        var shown = 0;
        all("li, tr", list).forEach(function (row) {
          var fits = Object.keys(wanted).every(function (key) {
            return (row.getAttribute("data-" + key) || "").split("|").indexOf(wanted[key]) >= 0;
          });
          row.hidden = !fits;
          shown += fits ? 1 : 0;
        });
        var word = list.getAttribute("data-filtered") || "incident";
        status.textContent = shown + " " + word + (shown === 1 ? "" : "s");
      }
      document.dispatchEvent(new CustomEvent("gpudoctor-filter", { detail: wanted }));
    }
    function remember() {
      var parameters = new URLSearchParams(location.search);
      selects.forEach(function (select) {
        if (select.value) parameters.set(select.name, select.value); else parameters.delete(select.name);
      });
      var text = parameters.toString();
      try { history.replaceState(null, "", location.pathname + (text ? "?" + text : "") + location.hash); } catch (error) { /* file: in some browsers */ }
    }
    var given = new URLSearchParams(location.search);
    selects.forEach(function (select) {
      if (given.has(select.name)) select.value = given.get(select.name);
      if (select.selectedIndex < 0) select.selectedIndex = 0;
    });
    form.addEventListener("change", function () { apply(); remember(); });
    form.addEventListener("reset", function () { setTimeout(function () { apply(); remember(); }, 0); });
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    window.GPUDOCTOR_CHOSEN = chosen;
    apply();
  });

  // What is searched for goes to the search page behind a number sign: so it is not sent to the host.
  all("form.find").forEach(function (form) {
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      location.href = form.getAttribute("action") + "#q=" + encodeURIComponent(form.querySelector("[name=q]").value);
    });
  });

  // "/" goes to the search.
  addEventListener("keydown", function (event) {
    var typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || event.target.isContentEditable;
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    var field = document.querySelector("[data-search]");
    if (field) { event.preventDefault(); field.focus(); }
  });
})();
