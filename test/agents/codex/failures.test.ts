import { describe, expect, test } from "vitest";
import type { FailureKind, ProviderFailure } from "../../../src/core/agent.ts";
import { readCodexLine } from "../../../src/agents/codex/events.ts";
import { startFailure, turnFailure } from "../../../src/agents/codex/failures.ts";
import { codexRecording, codexRecordings } from "../../support/codex-recording.ts";

/** 2026-11-21 12:00 local time */
const NOW = new Date(2026, 10, 21, 12).getTime();

type Row = readonly [cases: readonly string[], kind: FailureKind, retryable: boolean, says: string, next: RegExp];

const TURN: readonly Row[] = [
  [["http-401"], "auth", false, "unexpected status 401 Unauthorized: Incorrect API key", /CODEX_API_KEY/u],
  [["http-403"], "auth", false, "unexpected status 403 Forbidden: Country not supported", /CODEX_API_KEY/u],
  [["http-400"], "bad_request", false, "Invalid schema for thing", /model, the options or the prompt/u],
  [["http-400-after-tool"], "bad_request", false, "bad", /model, the options or the prompt/u],
  [["http-404-model"], "bad_request", false, "The model `gpt-5.5` does not exist", /model/u],
  [["sse-failed-invalid-prompt"], "bad_request", false, "Invalid prompt: your prompt was flagged", /prompt/u],
  [
    ["http-400-context-length-exceeded", "sse-context-length-exceeded"],
    "context_full",
    true,
    "Codex ran out of room",
    /when it is resumed/u,
  ],
  [
    ["http-429", "http-429-retry-after"],
    "rate_limited",
    true,
    "exceeded retry limit, last status: 429",
    /tried again/u,
  ],
  [["sse-failed-rate-limit"], "rate_limited", true, "rate limit exceeded: Rate limit reached", /tried again/u],
  [["http-429-usage-limit-reached"], "usage_limit", false, "You’ve hit your usage limit.", /limit has ended/u],
  [
    ["http-429-insufficient-quota", "sse-failed-insufficient-quota"],
    "usage_limit",
    false,
    "Quota exceeded. Check your plan",
    /billing/u,
  ],
  [["http-500"], "overloaded", true, "We’re currently experiencing high demand", /status page/u],
  [["http-503-html"], "overloaded", true, "unexpected status 503 Service Unavailable", /status page/u],
  [["http-503-overloaded"], "overloaded", true, "Selected model is at capacity.", /status page/u],
  [["server-down"], "transport", true, "Connection failed: error sending request", /proxy/u],
  [
    ["sse-cut", "sse-end-early", "sse-malformed", "sse-failed-server-error", "sse-silent"],
    "transport",
    true,
    "stream disconnected before completion:",
    /proxy/u,
  ],
  [["sse-incomplete"], "truncated", true, "Incomplete response returned, reason: max_output_tokens", /smaller steps/u],
];

/** Recordings that do not end with `turn.failed`: another test plays them. */
const WITHOUT_FAILURE = /-then-ok$|^failure-server-down-unbounded$|^failure-no-response-headers$/u;

function failureOf(name: string): ProviderFailure {
  const last = readCodexLine(codexRecording(name).lines.at(-1) ?? "");
  if (last?.says !== "failed") throw new Error(`${name} does not end with turn.failed`);
  return turnFailure(last.message, NOW);
}

describe("every recorded failure of a turn has its kind [D-19]", () => {
  const recordings = codexRecordings("failure-").filter((name) => !WITHOUT_FAILURE.test(name));
  const caseOf = (name: string) => name.replace(/^failure-(?:no-retry|default-retries)-/u, "");

  test.each(recordings)("%s", (name) => {
    const row = TURN.find(([cases]) => cases.includes(caseOf(name)));
    if (row === undefined) throw new Error(`no row for ${name}`);
    const [, kind, retryable, says, next] = row;
    const failure = failureOf(name);
    expect(failure).toMatchObject({ kind, retryable, message: expect.stringContaining(says) });
    expect(failure.next).toMatch(next);
  });

  test("no row is without a recording", () => {
    const played = new Set(recordings.map(caseOf));
    expect(TURN.flatMap(([cases]) => cases).filter((name) => !played.has(name))).toEqual([]);
  });
});

describe("messages without a recording of their own [D-19]", () => {
  test.each([
    ["Missing environment variable: `MOCK_API_KEY`.", "auth", /pass-env/u],
    ["unexpected status 422 Unprocessable Entity: no, url: http://x", "bad_request", /prompt/u],
    ["unexpected status 429 Too Many Requests: slow down, url: http://x", "rate_limited", /tried again/u],
    ["something that nobody has said before", "protocol", /events_iter_N/u],
    ["", "protocol", /events_iter_N/u],
    ["{not json", "bad_request", /prompt/u],
    ['{"error":"text"}', "bad_request", /prompt/u],
    ['{"detail":"text"}', "bad_request", /prompt/u],
  ])("%j is %s", (message, kind, next) => {
    const failure = turnFailure(message, NOW);
    expect(failure.kind).toBe(kind);
    expect(failure.message).not.toBe("");
    expect(failure.next).toMatch(next);
  });

  test("a message is one line of bounded length", () => {
    const { message } = turnFailure(`Connection failed: a\n  b ${"x".repeat(5000)}`, NOW);
    expect(message).toMatch(/^Connection failed: a b x+$/u);
    expect(message.length).toBe(600);
  });
});

describe("when a limit ends [C12]", () => {
  test.each([
    ["a plan's limit today", "You’ve hit your usage limit. Try again later or try again at 3:05 PM.", [15, 5]],
    ["midnight", "You’ve hit your usage limit. try again at 12:00 AM.", [0, 0]],
    ["noon", "You’ve hit your usage limit. try again at 12:30 PM.", [12, 30]],
  ])("%s is a moment of this day, in local time", (_name, message, [hour = 0, minute = 0]) => {
    expect(turnFailure(message, NOW).resetsAt).toBe(new Date(2026, 10, 21, hour, minute).getTime());
  });

  test("a plan's limit on another day names the day", () => {
    const message = "You’ve hit your usage limit. Upgrade to Pro (…), visit … or try again at Dec 3rd, 2026 3:00 AM.";
    expect(turnFailure(message, NOW)).toMatchObject({
      kind: "usage_limit",
      retryable: false,
      resetsAt: new Date(2026, 11, 3, 3).getTime(),
    });
  });

  test("the recorded one", () => {
    expect(failureOf("failure-no-retry-http-429-usage-limit-reached").resetsAt).toBe(
      new Date(2026, 10, 21, 3).getTime(),
    );
  });

  test.each([
    ["1.5s", 1500, true],
    ["250ms", 250, true],
    ["20s", 20_000, true],
    ["6m0s", 360_000, false],
    ["1h2m3s", 3_723_000, false],
  ])("a rate limit of %s: only a short one is worth a retry", (delay, ms, retryable) => {
    const failure = turnFailure(`rate limit exceeded: Please try again in ${delay}.`, NOW);
    expect(failure).toMatchObject({ kind: "rate_limited", retryable, resetsAt: NOW + ms });
  });

  test.each(["try again at Foo 3rd, 2026 3:00 AM.", "try again in a while.", "try again later."])(
    "%j says no moment",
    (text) => expect(turnFailure(`rate limit exceeded: ${text}`, NOW)).not.toHaveProperty("resetsAt"),
  );
});

describe("every recorded refusal to start has its kind [C15]", () => {
  test.each<readonly [name: string, kind: FailureKind, says: RegExp, next: RegExp]>([
    ["resume-unknown-id", "session_lost", /no rollout found/u, /fresh session/u],
    ["second-writer-b", "busy", /^Error: .*already has an active writer/u, /other Codex/u],
    ["not-a-git-repository", "bad_request", /^Not inside a trusted directory/u, /--skip-git-repo-check/u],
    ["input-too-large", "bad_request", /1048576 characters/u, /Shorten the prompt/u],
    ["codex-home-missing", "bad_request", /^Error finding codex home/u, /CODEX_HOME/u],
    ["bad-directory", "bad_request", /^Error: No such file/u, /config\.toml/u],
    ["bad-output-path", "bad_request", /^Error: Failed to open last message file/u, /config\.toml/u],
    ["config-approval-untrusted", "bad_request", /approval_policy = "untrusted"/u, /config\.toml/u],
    ["legacy-profile", "bad_request", /legacy `profile/u, /config\.toml/u],
    ["empty-prompt", "bad_request", /^No prompt provided via stdin/u, /config\.toml/u],
    ["flag-full-auto-removed", "bad_request", /^error: unexpected argument '--full-auto'/u, /config\.toml/u],
    ["flag-ask-for-approval-rejected", "bad_request", /^error: .*'--ask-for-approval'/u, /config\.toml/u],
    ["resume-flag-after-resume", "bad_request", /^error: unexpected argument '-s'/u, /config\.toml/u],
  ])("%s", (name, kind, says, next) => {
    const failure = startFailure(codexRecording(name).stderr);
    expect(failure).toMatchObject({ kind, retryable: kind === "busy" });
    expect(failure.message).toMatch(says);
    expect(failure.next).toMatch(next);
  });

  test("an empty rollout is a lost session", () => {
    expect(startFailure("Error: rollout at /home/x/rollout-1.jsonl is empty").kind).toBe("session_lost");
  });

  test.each(["in 9007199254740992.5s", "in 99999999999999999999h", "at Dec 31st, 9999 11:00 PM"])(
    "a limit that ends %s has no end that could be written down or waited for [T15]",
    (when) => {
      const failure = turnFailure(`rate limit exceeded: Please try again ${when}.`, Date.UTC(2026, 10, 22));
      expect(failure).toMatchObject({ kind: "rate_limited", retryable: true });
      expect(failure).not.toHaveProperty("resetsAt");
    },
  );

  test("a refusal without a word", () => {
    expect(startFailure("")).toMatchObject({
      kind: "bad_request",
      message: expect.stringContaining("did not say why"),
    });
  });
});
