import { createHash } from "node:crypto";
import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { LoopStarted } from "../../src/core/events.ts";
import { PROMPT_IN_STATE } from "../../src/core/state.ts";
import { aState, BOUNDS } from "../support/builders.ts";
import { AT, place } from "./place.ts";

const LONG = "ä".repeat(PROMPT_IN_STATE) + "the end";

/** The beginning of a loop with this prompt, and the state that it leads to. */
function beginning(prompt: string): readonly [LoopStarted, ReturnType<typeof aState>] {
  const prompt_digest = createHash("sha256").update(prompt).digest("hex");
  const isLong = prompt.length > PROMPT_IN_STATE;
  const state = aState({
    prompt: prompt.slice(0, PROMPT_IN_STATE),
    prompt_digest,
    prompt_path: isLong ? "prompt.txt" : null,
  });
  const event: LoopStarted = {
    type: "loop_started",
    at: AT,
    loop_id: "a-loop",
    generation: 1,
    identity: {
      prompt,
      promise: { text: "DONE", mode: "tag", guard: "code" },
      doneToken: null,
      checks: { successCommand: null, successShell: null, quality: [], ci: null },
      todo: null,
      plan: null,
      prd: null,
    },
    prompt_digest,
    task_digest: state.task_digest,
    runtime: {
      workspaceRoot: "/workspace",
      artifactsDir: "loops/a-loop/",
      provider: "scripted",
      model: null,
      profile: null,
      sandbox: "workspace-write",
      approval: null,
      session: "resume",
      sessionMaxIterations: 10,
      continuePrompt: null,
      checkFirst: true,
      checkWhen: "auto",
      weakProof: "refuse",
      reviewer: "off",
      statusBlock: "off",
      exitGate: "dual",
      commit: "never",
    },
    max_iterations: 30,
    bounds: BOUNDS,
    artifacts_dir: "loops/a-loop/",
    guidance: null,
    github: null,
    snapshot: null,
    hard_stops: [],
    tally: null,
  };
  return [event, state];
}

describe("the prompt of a loop", () => {
  it.each([
    ["in the state", "short", false],
    ["in the state, just", "x".repeat(PROMPT_IN_STATE), false],
    ["in its own file", LONG, true],
  ])("is kept %s [W-41, W-50]", async (_where, prompt, inFile) => {
    await using at = await place();
    const store = await at.opened();
    const [event, state] = beginning(prompt);
    await store.append(event, state);
    expect(await store.loadPrompt(state)).toBe(prompt);
    expect((await readdir(at.folder)).includes("prompt.txt")).toBe(inFile);
    const line: unknown = JSON.parse(await readFile(at.events, "utf8"));
    expect(line).toEqual({ v: 1, revision: 1, ...event, identity: { ...event.identity, prompt: state.prompt } });
  });

  it.each([
    ["changed", async (file: string) => await appendFile(file, "!"), "PROMPT_DAMAGED"],
    ["gone", async (file: string) => await rm(file), "PROMPT_MISSING"],
  ])("is not used when its file is %s [W-58]", async (_what, harm, code) => {
    await using at = await place();
    const store = await at.opened();
    const [event, state] = beginning(LONG);
    await store.append(event, state);
    await harm(path.join(at.folder, "prompt.txt"));
    await expect(store.loadPrompt(state)).rejects.toMatchObject({ code });
  });

  it("is never read from where a state says", async () => {
    await using at = await place();
    const store = await at.opened();
    const [event, state] = beginning(LONG);
    await store.append(event, state);
    await writeFile(path.join(path.dirname(at.folder), "elsewhere"), "not this");
    expect(await store.loadPrompt({ ...state, prompt_path: "../elsewhere" })).toBe(LONG);
  });
});
