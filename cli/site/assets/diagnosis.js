// The diagnosis of a whole text on the search page: the engine itself, in a worker, started when somebody asks for it.
(function () {
  "use strict";
  var box = document.querySelector("[data-engine]");
  if (!box) return;
  var field = document.getElementById("query"), ask = box.querySelector("[data-ask]"), chosen = box.querySelector("[data-files]");
  var said = box.querySelector("[data-engine-status]"), bar = box.querySelector("progress"), out = box.querySelector("[data-diagnosis]");
  var MOST = 300 * 1024 * 1024, worker = null, number = 0, started = 0, ticking = 0, answer = null, stage = "";
  box.hidden = false;

  function tell(text, part) {
    said.textContent = text;
    bar.hidden = part === undefined;
    if (part !== undefined) bar.value = part;
  }
  function tick() { if (stage) said.textContent = stage + " … " + Math.round((Date.now() - started) / 1000) + " s"; }
  function begin() { started = Date.now(); stage = "Starting"; ask.disabled = true; clearInterval(ticking); ticking = setInterval(tick, 500); tick(); }
  function end(text) { clearInterval(ticking); stage = ""; ask.disabled = false; tell(text); }

  function start() {
    if (worker) return;
    worker = new Worker(box.getAttribute("data-engine"), { type: "module" });
    worker.onerror = function (event) {
      worker = null;
      end("The engine did not start" + (event.message ? ": " + event.message : ": is the folder engine/ on this site?"));
    };
    worker.onmessage = function (event) {
      var told = event.data;
      if (told.kind === "stage") { stage = told.text; bar.hidden = false; bar.value = told.part; tick(); }
      else if (told.kind === "failed") end(told.text);
      else if (told.kind === "diagnosis" && told.id === number) show(told.answer);
    };
  }
  function run() {
    if (location.protocol === "file:") {
      tell("A page that is opened from a disk may not start the engine. Serve the folder of the site: python3 -m http.server -d FOLDER, then open http://localhost:8000/search/index.html.");
      return;
    }
    var files = Array.prototype.slice.call(chosen.files || []), size = files.reduce(function (sum, file) { return sum + file.size; }, 0);
    if (!field.value.trim() && !files.length) { tell("Paste a text, or choose files."); return; }
    if (size > MOST) { tell("That is " + Math.round(size / 1048576) + " MB; a page takes 300 MB. gpudoctor --report takes any size."); return; }
    begin();
    start();
    var id = ++number;
    Promise.all(files.map(function (file) {
      return file.arrayBuffer().then(function (data) { return { name: file.webkitRelativePath || file.name, data: data }; });
    })).then(function (read) {
      if (worker) worker.postMessage({ id: id, pasted: field.value.trim() ? field.value : "", files: read });
    }, function (error) { end("A file could not be read: " + error.message); });
  }
  function element(tag, className, text) {
    var made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }
  var FOLDERS = { incident: "incidents", "known-issue": "known-issues" };
  function show(forms) {
    answer = forms;
    out.hidden = false;
    form("brief");
    var list = out.querySelector("[data-pages]");
    list.textContent = "";
    JSON.parse(forms.pages).forEach(function (page) {
      var row = element("li"), link = element("a", "", page.title);
      link.href = "../" + FOLDERS[page.kind] + "/" + page.id + "/index.html";
      row.appendChild(element("span", "badge", page.standing));
      row.appendChild(document.createTextNode(" "));
      row.appendChild(link);
      list.appendChild(row);
    });
    end("Done in " + ((Date.now() - started) / 1000).toFixed(1) + " s. Nothing has left this page.");
    out.querySelector("pre").focus();
  }
  function form(name) {
    out.querySelector("pre").textContent = answer[name];
    Array.prototype.forEach.call(out.querySelectorAll("[data-form]"), function (button) {
      button.setAttribute("aria-pressed", String(button.getAttribute("data-form") === name));
    });
  }
  out.addEventListener("click", function (event) {
    var name = event.target.getAttribute && event.target.getAttribute("data-form");
    if (name) form(name);
  });
  ask.addEventListener("click", run);
})();
