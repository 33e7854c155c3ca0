import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { filled, holds } from "./expressions.ts";
import { exampleNames, readExample, triggerOf } from "./workflow-file.ts";

const EXAMPLES = await Promise.all((await exampleNames()).map(readExample));
/** Of a workflow, and of each further job in it. */
const [MOST_LINES, FOR_A_JOB] = [25, 12];

const COMMENT = { issue: { number: 7, pull_request: {} }, comment: { body: "/smithers stop" } };
const ASKED = JSON.stringify({ command: "continue", loop: null, pr: 7, head: "a".repeat(40), request: "comment:30" });

describe("the examples [W-11]", () => {
  test.each(EXAMPLES)("$file is as short and as careful as an example has to be", ({ text, permissions, jobs, on }) => {
    const substance = text.split("\n").filter((line) => !/^\s*(?:#.*)?$/u.test(line));
    expect(text).toMatch(/^# .+\n(?:# .+\n)*name: /u);
    const more = Object.keys(jobs).length - 1;
    expect(substance.length).toBeLessThanOrEqual(MOST_LINES + more * FOR_A_JOB);
    expect(text).not.toMatch(/pull_request_target|secrets: inherit/u);
    expect(permissions).toEqual({});
    expect("push" in on).toBe(false);
    for (const job of Object.values(jobs)) {
      const kind = job.steps.at(-1)?.with["job"];
      // Only what publishes or lands has to come after whatever happened.
      expect(/always\(\)/u.test(job.if ?? "")).toBe(kind === "publish" || kind === "land");
      // What begins a wave writes; what names the loops for one task does not.
      const reads = kind === "run" || (kind === "plan" && text.includes("SMITHERS_ATTEMPTS"));
      const level = reads ? "read" : "write";
      expect(job.permissions).toMatchObject({ contents: level, "pull-requests": level });
      expect(Object.values(job.permissions ?? {}).includes("write")).toBe(!reads);
      expect(new Set(Object.keys(job.permissions ?? {}))).toEqual(
        new Set([
          "actions",
          "contents",
          "pull-requests",
          ...["statuses", "issues", "checks"].filter((scope) => job.permissions?.[scope] !== undefined),
        ]),
      );
      const uses = job.steps.map((step) => step.uses?.replace(/@.*/u, ""));
      expect(["smithers/loop", undefined]).toContain(uses.at(-1));
      const checkouts = job.steps.filter((step) => step.uses?.startsWith("actions/checkout@"));
      expect(job.uses ?? job["timeout-minutes"]).toBeDefined();
      expect(checkouts.every((step) => step.with["persist-credentials"] === "false")).toBe(true);
      const timeout = job.steps.at(-1)?.with["job-timeout-minutes"];
      expect([undefined, String(job["timeout-minutes"])]).toContain(timeout);
    }
  });

  const grouped = EXAMPLES.filter(({ file }) => !["prd.yml", "reusable-caller.yml"].includes(file));
  test.each(grouped)(
    "$file runs one loop at a time, and no run that waits is dropped [C88]",
    ({ concurrency, jobs }) => {
      const [job] = Object.values(jobs);
      const wanted = concurrency ?? job?.concurrency;
      expect(wanted?.group).toMatch(/^smithers-/u);
      // A relay waits for nobody: each has a group of its own.
      const waits = wanted?.group !== "smithers-relay-${{ github.run_id }}";
      expect([wanted?.["cancel-in-progress"], wanted?.queue]).toEqual([false, waits ? "max" : "single"]);
    },
  );

  test.each(EXAMPLES)("$file has at most 40 lines, and explains each permission beside it [C112]", ({ text, jobs }) => {
    const lines = text.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(40);
    const explained = lines.flatMap((line, at) =>
      /^ {4}permissions:/u.test(line) ? [/ # (.+)$/u.exec(line)?.[1] ?? lines[at - 1] ?? ""] : [],
    );
    const given = Object.values(jobs).map(({ permissions }) => Object.keys(permissions ?? {}));
    expect(explained).toHaveLength(given.length);
    const silent = given.map((scopes, at) =>
      scopes.filter((scope) => !new RegExp(`\\b${scope}(?:, [a-z-]+)*: \\w`, "u").test(explained[at] ?? "")),
    );
    expect(silent.flat()).toEqual([]);
  });

  test("the first recipe that a reader meets has at most 25 lines [C112]", async () => {
    const readme = await readFile(path.join(import.meta.dirname, "../../README.md"), "utf8");
    const first = /```yaml\n(?<text>.*?)\n```/su.exec(readme)?.groups?.["text"] ?? "";
    expect(first).toContain("uses: smithers/loop@v1");
    expect(first.split("\n").length).toBeLessThanOrEqual(25);
    expect(first).toMatch(/# actions: .+; contents: .+; pull-requests: .+; statuses: .+\n +permissions:/u);
  });

  test("what a PRD's relay is told starts it", async () => {
    expect((await readExample("relay.yml")).jobs["relay"]?.steps.at(-1)?.with).toMatchObject({
      "relay-prd-to": "prd.yml",
    });
  });

  test("what people ask of a PRD neither waits for its wave nor is dropped by GitHub while one runs", async () => {
    // GitHub keeps one run of a group pending: the next wave's would replace the one that a person has asked for.
    const { concurrency, jobs } = await readExample("prd.yml");
    expect([concurrency, ...Object.values(jobs).map((job) => job.concurrency)].filter(Boolean)).toEqual([]);
  });

  test.each(EXAMPLES.filter(({ on }) => "issue_comment" in on))(
    "in $file what people say does not wait for the run that it is for [T6]",
    ({ concurrency }) => {
      const group = (run: number, event: object, inputs: object): string =>
        filled(concurrency?.group ?? "", { github: { event, event_name: "", run_id: run }, inputs });
      const asked = { smithers: ASKED };
      const [first, second] = [group(1, COMMENT, {}), group(2, COMMENT, {})];
      const works = group(3, { inputs: asked }, asked);
      expect(new Set([first, second, works]).size).toBe(3);
    },
  );

  test("the runs of one pull request wait for each other", async () => {
    for (const file of ["pull-request-commands.yml", "fix-failed-ci.yml", "worker.yml"]) {
      const { concurrency } = await readExample(file);
      const inputs = { smithers: ASKED };
      const github = { event: { inputs }, event_name: "workflow_dispatch", run_id: 3 };
      expect(filled(concurrency?.group ?? "", { github, inputs })).toBe("smithers-7");
    }
  });

  test("cheap filters let pass what is meant for a loop, and nothing else", async () => {
    const { jobs } = await readExample("relay.yml");
    const starts = (event: object): boolean => holds(jobs["relay"]?.if, { github: { event }, inputs: {} });
    expect(starts(COMMENT)).toBe(true);
    expect(starts({ label: { name: "smithers:cancel" } })).toBe(true);
    expect(starts({ workflow_run: { conclusion: "failure" } })).toBe(true);
    expect(starts({ action: "closed" })).toBe(true);
    expect(starts({ comment: { body: "Looks good." } })).toBe(false);
    expect(starts({ label: { name: "bug" } })).toBe(false);
    expect(starts({ workflow_run: { conclusion: "success" } })).toBe(false);
  });

  const relays = EXAMPLES.filter(({ on }) => "issue_comment" in on || "workflow_run" in on);
  test.each(relays)("what $file starts declares its input", async ({ file, jobs }) => {
    const [job] = Object.values(jobs);
    const { "relay-to": worker = file, "relay-prd-to": prd = worker } = job?.steps.at(-1)?.with ?? {};
    for (const started of [worker, prd]) {
      expect(triggerOf(await readExample(started), "workflow_dispatch")?.inputs).toHaveProperty("smithers");
    }
  });
});
