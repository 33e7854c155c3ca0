/**
 * Preloaded into the Action (`node --import`): notes what is loaded and what is started, and when, until the process
 * ends; then writes it to the file that BENCH_OBSERVED names. Moments are milliseconds since the process began.
 */
import childProcess from "node:child_process";
import diagnostics from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
import { registerHooks, syncBuiltinESMExports } from "node:module";
import path from "node:path";

if (process.argv[1]?.endsWith(path.join("dist", "action", "index.js"))) observe();

function observe() {
  const loaded = [];
  const done = [];
  registerHooks({
    load(url, context, next) {
      const result = next(url, context);
      const source = result.source ?? "";
      if (url.startsWith("file:") && !url.endsWith("observe.mjs")) {
        loaded.push({ at: performance.now(), name: path.basename(url), bytes: Buffer.byteLength(source) });
      }
      return result;
    },
  });
  const { spawn } = childProcess;
  childProcess.spawn = function observed(command, ...rest) {
    const at = performance.now();
    const child = spawn.call(this, command, ...rest);
    const args = Array.isArray(rest[0]) ? rest[0] : [];
    const entry = { at, ms: null, what: nameOf(command, args) };
    done.push(entry);
    child.once("exit", () => (entry.ms = performance.now() - at));
    return child;
  };
  syncBuiltinESMExports();
  const requests = new WeakMap();
  diagnostics.subscribe("http.client.request.start", ({ request }) => {
    const what = `${request.method} ${request.path.split("?", 1)[0]}`;
    const entry = { at: performance.now(), ms: null, what };
    requests.set(request, entry);
    done.push(entry);
  });
  diagnostics.subscribe("http.client.response.finish", ({ request }) => {
    const entry = requests.get(request);
    if (entry !== undefined) entry.ms = performance.now() - entry.at;
  });
  // The Action has its environment only after it has begun.
  process.once("exit", () => {
    const file = process.env["BENCH_OBSERVED"];
    if (file !== undefined) writeFileSync(file, JSON.stringify({ loaded, done }));
  });
}

/** A program with the words that tell its calls apart: options and their values say nothing here. */
function nameOf(command, args) {
  const words = args.filter(
    (word, index) => !word.startsWith("-") && args[index - 1] !== "-c" && args[index - 1] !== "-C",
  );
  const shown = words.slice(0, 1).map((word) => path.basename(String(word)));
  return [path.basename(command), ...(shown.length > 0 ? shown : args.slice(0, 1))].join(" ");
}
