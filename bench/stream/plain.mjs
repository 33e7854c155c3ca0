// The plain way: reads the agent's pipe, parses each line as JSON and writes the same file.
import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { once } from "node:events";

const [program, file] = process.argv.slice(2);
const began = performance.now();
const child = spawn(program, [], { stdio: ["ignore", "pipe", "inherit"] });
const out = createWriteStream(file);
let rest = "";
let events = 0;
for await (const chunk of child.stdout.setEncoding("utf8")) {
  if (!out.write(chunk)) await once(out, "drain");
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const line of lines) if (JSON.parse(line).type) events += 1;
}
out.end();
await once(out, "finish");
process.stdout.write(JSON.stringify({ ms: performance.now() - began, events, rss: process.resourceUsage().maxRSS }));
