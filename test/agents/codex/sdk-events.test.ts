import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { readCodexLine } from "../../../src/agents/codex/events.ts";

const names = z.record(z.string(), z.record(z.string(), z.string()));
const PUBLISHED = z
  .object({ events: names, items: names, change_kinds: z.array(z.string()), usage: z.array(z.string()) })
  .parse(JSON.parse(readFileSync(path.join(import.meta.dirname, "../../fixtures/codex-sdk/events.json"), "utf8")));

/** What the engine does not use: a plan that the agent keeps for itself, and unfinished items. */
const PASSED_OVER = ["item.updated", "todo_list"];

const usage = Object.fromEntries(PUBLISHED.usage.map((name, index) => [name, index + 1]));
const changes = PUBLISHED.change_kinds.map((kind) => ({ path: `/w/${kind}`, kind }));

/** A value of a published field, by the name of its type. */
function valueOf(type: string): unknown {
  const samples: Record<string, unknown> = {
    string: "text",
    number: 3,
    unknown: {},
    Usage: usage,
    ThreadError: { message: "text" },
    FileUpdateChange: changes,
    TodoItem: [{ text: "text", completed: false }],
  };
  return type.includes("|") ? "completed" : samples[type];
}

function itemOf(type: string): Record<string, unknown> {
  const fields = Object.entries(PUBLISHED.items[type] ?? {}).map(([name, of]) => [name, valueOf(of)]);
  return { id: "item_0", type, ...Object.fromEntries(fields) };
}

function read(type: string, item = itemOf("agent_message")): unknown {
  const fields = Object.entries(PUBLISHED.events[type] ?? {}).map(([name, of]) => [
    name,
    of === "ThreadItem" ? item : valueOf(of),
  ]);
  return readCodexLine(JSON.stringify({ type, ...Object.fromEntries(fields) }));
}

describe("the adapter against the event types that the Codex SDK publishes [C28, D-45]", () => {
  test.each(Object.keys(PUBLISHED.events).filter((type) => !PASSED_OVER.includes(type)))("the event %s", (type) => {
    // An item that begins says something only when it lasts.
    const item = type === "item.started" ? itemOf("command_execution") : undefined;
    expect(read(type, item)).toBeDefined();
    expect(read(type, item)).not.toMatchObject({ says: "garbage" });
  });

  test.each(Object.keys(PUBLISHED.items).filter((type) => !PASSED_OVER.includes(type)))("the item %s", (type) => {
    expect(read("item.completed", itemOf(type))).toMatchObject({ says: "event" });
  });

  test.each(PASSED_OVER)("%s is passed over and breaks nothing", (type) => {
    const isEvent = type in PUBLISHED.events;
    expect(isEvent ? read(type) : read("item.completed", itemOf(type))).toBeUndefined();
  });

  test("every kind of change is told", () => {
    expect(read("item.completed", itemOf("file_change"))).toMatchObject({ event: { changes } });
  });

  test("usage is read by its published names", () => {
    expect(read("turn.completed")).toEqual({
      says: "completed",
      usage: { input: 1, cachedInput: 2, output: 4, reasoning: 5 },
    });
  });

  test("what fails says why", () => {
    expect(read("turn.failed")).toEqual({ says: "failed", message: "text" });
    expect(read("error")).toEqual({ says: "error", message: "text" });
  });
});
