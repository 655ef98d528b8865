// Runs before the first paint: the chosen colours, and the mark that scripts are there.
(function () {
  "use strict";
  var root = document.documentElement;
  root.className = "js";
  try {
    var chosen = localStorage.getItem("gpudoctor-theme");
    if (chosen === "dark" || chosen === "light") root.setAttribute("data-theme", chosen);
  } catch (error) { /* no storage: the system's colours */ }
})();
