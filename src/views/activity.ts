import type { AgentEvent } from "../core/agent.ts";
import type { CheckEvent } from "../core/ports.ts";
import { counted, duration } from "./amounts.ts";
import { line, type Line } from "./line.ts";
import { oneLine } from "./plain-text.ts";

const TEXT_LIMIT = 300;
const PATHS_SHOWN = 3;

/** What happens right now, for the live view; undefined for an event that does not change it. */
export function activityOf(event: AgentEvent | CheckEvent): string | undefined {
  switch (event.type) {
    case "session.started":
      return "the agent is starting";
    case "message":
      return `the agent says: ${short(event.text)}`;
    case "reasoning":
      return `the agent thinks: ${short(event.text)}`;
    case "command.started":
      return `the agent runs: ${short(event.command)}`;
    case "check.started":
      return `checking: ${short(event.command)}`;
    case "turn.retrying":
      return `${event.failure.kind}: trying again in ${duration(event.delayMs)}`;
    case "command.ended":
    case "files.changed":
    case "permission.denied":
    case "tool.used":
      return "the agent is thinking";
    case "check.ended":
    case "notice":
    case "turn.completed":
    case "turn.failed":
      return undefined;
  }
}

/** What is worth a line that stays; undefined for what only the live view shows. */
export function activityLine(event: AgentEvent | CheckEvent): Line | undefined {
  switch (event.type) {
    case "message":
      return line(`agent says: ${short(event.text)}`, "dim");
    case "command.ended":
      return line(`agent ran (${exit(event.exitCode)}): ${short(event.command)}`, "dim");
    case "files.changed":
      return line(`agent changed ${paths(event.changes.map((change) => change.path))}`, "dim");
    case "tool.used":
      return line(`agent used ${short(event.name)}${event.failed ? ", which failed" : ""}`, "dim");
    case "permission.denied":
      return line(`agent was not allowed: ${short(event.what)}`, "warn");
    case "notice":
      return line(`notice: ${short(event.text)}`, "dim");
    case "turn.retrying":
      return line(
        `agent failed (${event.failure.kind}), attempt ${event.attempt}, trying again in ${duration(event.delayMs)}: ${short(event.failure.message)}`,
        "warn",
      );
    case "check.started":
      return line(`check started: ${short(event.command)}`, "dim");
    case "session.started":
    case "reasoning":
    case "command.started":
    case "check.ended":
    case "turn.completed":
    case "turn.failed":
      return undefined;
  }
}

function short(text: string): string {
  const plain = oneLine(text);
  return plain.length > TEXT_LIMIT ? `${plain.slice(0, TEXT_LIMIT)}…` : plain;
}

function exit(code: number | null): string {
  return code === null ? "no exit code" : `exit ${code}`;
}

function paths(all: readonly string[]): string {
  const shown = all.slice(0, PATHS_SHOWN).map(oneLine).join(", ");
  const rest = all.length - PATHS_SHOWN;
  return `${counted(all.length, "file")}: ${shown}${rest > 0 ? ` and ${rest} more` : ""}`;
}
