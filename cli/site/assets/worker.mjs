// The engine of gpudoctor in a worker of its own: the same Python that runs on the command line, on Pyodide.
// No text is given to it before it has cut its own ways out.
import { loadPyodide } from "../engine/pyodide.mjs";

const say = (kind, more) => postMessage(Object.assign({ kind }, more));
let doctor = null, python = null, given = 0;

const ready = (async function () {
  say("stage", { text: "Loading Python (12 MB)", part: 0.05 });
  const program = fetch("../engine/gpudoctor.zip").then((answer) => {
    if (!answer.ok) throw new Error("engine/gpudoctor.zip: " + answer.status);
    return answer.arrayBuffer();
  });
  python = await loadPyodide({ indexURL: new URL("../engine/", import.meta.url).href, fullStdLib: false });
  say("stage", { text: "Loading the knowledge base", part: 0.6 });
  python.unpackArchive(await program, "zip", { extractDir: "/program" });
  for (const way of ["fetch", "XMLHttpRequest", "WebSocket", "WebTransport", "EventSource", "importScripts", "Worker"]) {
    try { Object.defineProperty(self, way, { value: undefined, configurable: false, writable: false }); } catch (error) { /* is not there */ }
  }
  say("stage", { text: "Starting the engine", part: 0.75 });
  doctor = python.runPython(`
import os, sys
sys.path.insert(0, "/program")
from gpudoctor.cli.site import inpage
rows = open("/program/gpudoctor/kb/index.rows", "rb").read()
laid = "/program/overlays"
overlays = [os.path.join(laid, name) for name in sorted(os.listdir(laid))] if os.path.isdir(laid) else []
inpage.Doctor(rows, overlays)
`);
  say("ready", {});
})().catch((error) => say("failed", { text: String(error && error.message || error) }));

function laid(files) {
  const folder = "/given/" + (++given);
  python.FS.mkdirTree(folder);
  python.FS.chdir(folder);
  return files.map((file) => {
    const name = file.name.replace(/^\/+|(^|\/)\.\.(?=\/|$)/g, "$1_");
    const cut = name.lastIndexOf("/");
    if (cut > 0) python.FS.mkdirTree(name.slice(0, cut));
    python.FS.writeFile(name, new Uint8Array(file.data));
    return name;
  });
}

onmessage = async function (event) {
  await ready;
  if (!doctor) return;
  const { id, pasted, files } = event.data;
  let told = 0;
  const progress = (part) => {
    if (part - told < 0.01 && part < 1) return;
    told = part;
    say("stage", { text: "Reading", part });
  };
  try {
    const names = laid(files || []);
    const roots = Array.from(new Set(names.map((name) => name.split("/")[0])));
    const answer = doctor.diagnose(pasted || "", python.toPy(roots), progress);
    say("diagnosis", { id, answer: answer.toJs({ dict_converter: Object.fromEntries }) });
    answer.destroy();
  } catch (error) {
    const lines = String(error && error.message || error).trim().split("\n");
    say("failed", { id, text: lines[lines.length - 1].replace(/^[\w.]*FileError: /, "") });
  }
};
