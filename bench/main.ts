/**
 * Measures what the product promises about its own cost, always as a ratio or a difference to a plain program that does
 * the same work in the same run; and how it judges agents with bad habits. `--json` prints the figures for a machine; `--only start,carriers` picks some by name.
 */
import { parseArgs } from "node:util";
import type { Figure } from "./figure.ts";
import { measureCancel } from "./cancel.ts";
import { measureCarriers } from "./carriers.ts";
import { measureGrowth } from "./growth.ts";
import { measureHelp } from "./help.ts";
import { measureIsolation } from "./isolation.ts";
import { measureJudgement } from "./judgement.ts";
import { measureLoop } from "./loop.ts";
import { measurePrd } from "./prd.ts";
import { measurePrompt } from "./prompt.ts";
import { measureReport } from "./report.ts";
import { measureStart } from "./start.ts";
import { measureStats } from "./stats.ts";
import { measureStream } from "./stream.ts";
import { measureTurn } from "./turn.ts";
import { measureWatch } from "./watch.ts";

const BENCHES = {
  loop: measureLoop,
  stream: measureStream,
  growth: measureGrowth,
  start: measureStart,
  turn: measureTurn,
  cancel: measureCancel,
  carriers: measureCarriers,
  judgement: measureJudgement,
  isolation: measureIsolation,
  prd: measurePrd,
  prompt: measurePrompt,
  help: measureHelp,
  report: measureReport,
  watch: measureWatch,
  stats: measureStats,
} as const;
type Name = keyof typeof BENCHES;

const { values } = parseArgs({ options: { json: { type: "boolean" }, only: { type: "string" } } });
const names = Object.keys(BENCHES).filter((name): name is Name => name in BENCHES);
const only = values.only?.split(",");
const figures: Figure[] = [];
for (const name of names.filter((name) => only?.includes(name) ?? true)) {
  process.stderr.write(`measuring ${name} …\n`);
  try {
    figures.push(...(await BENCHES[name]((line) => process.stderr.write(`  ${line}\n`))));
  } catch (error) {
    // What the others have measured is told all the same.
    console.error(`${name} could not be measured:`, error);
    process.exitCode = 1;
  }
}

if (values.json === true) {
  console.log(JSON.stringify(figures, null, 2));
} else {
  for (const { name, value, unit, goal, holds } of figures) {
    console.log(
      `${holds ? "  " : "✗ "}${name.padEnd(58)} ${`${value} ${unit}`.padEnd(16)} goal ${goal}${holds ? "" : "  MISSED"}`,
    );
  }
}
