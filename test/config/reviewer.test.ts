import { expect, test } from "vitest";
import { chosenReviewer } from "../../src/config/settings/agent.ts";
import { resolve } from "./support.ts";

const flags = (more: Readonly<Record<string, string>>) => ({ flags: { prompt: "x", ...more } });

test("an agent that reviews has what it needs, or the settings say what is missing [C52]", () => {
  expect(() => resolve(flags({ reviewer: "thin", "reviewer-agent": "command" }))).toThrow(
    /does not review without provider-command/u,
  );
  const own = { provider: "command", "provider-command": '["x"]' };
  expect(resolve(flags({ reviewer: "thin", ...own })).notices).toEqual([]);
  const others = resolve(flags({ reviewer: "thin", "reviewer-agent": "command", "provider-command": '["x"]' }));
  expect(others.notices).toEqual([]);
});

test("a reviewer-agent that is not used is told, and what is none is refused [C52]", () => {
  expect(resolve(flags({ "reviewer-agent": "codex/x" })).notices).toEqual([expect.stringContaining("reviewer is off")]);
  for (const wrong of ["gpt-5", "codex/", "codex/a\nb"])
    expect(() => resolve(flags({ "reviewer-agent": wrong }))).toThrow(/reviewer-agent/u);
  expect(chosenReviewer("same", { name: "scripted", model: "m" })).toEqual({ name: "scripted", model: "m" });
});
