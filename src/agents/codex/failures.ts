import type { FailureKind, ProviderFailure } from "../../core/agent.ts";
import { CODEX_VERSION } from "../../config/settings/agent.ts";
import { lackToStart } from "../../os/machine-trouble.ts";
import { failure } from "../agent.ts";

/** How to recognise a message of Codex, what it means, and what a person can do. */
type Rule = readonly [pattern: RegExp, kind: FailureKind, next: string];

/** Nobody is told to wait longer: an end beyond that is none that was meant, and soon none that can be written down. */
const LONGEST_RESET_MS = 3660 * 86_400_000;
/** A limit that ends within this time is worth waiting for inside the turn. */
const SHORT_RESET_MS = 60_000;
const MESSAGE_CHARACTERS = 600;

const FRESH_SESSION = "Nothing to do: the loop goes on with a fresh session.";
const CREDENTIALS =
  "Check the key: give it as `api-key` (environment: CODEX_API_KEY), or run `codex login`, then resume the loop.";
const LATER = "Nothing to do: it is tried again. If it lasts, look at the provider's status page and resume later.";
const FIX_OPTION = "Correct the option or the setting in Codex's config.toml that the message names.";
const FIX_REQUEST = "Correct the model, the options or the prompt that the message names, then resume the loop.";

/**
 * Messages of `turn.failed` and of `Reconnecting...`; the first match counts. Codex has no error codes: these are its
 * words in `CODEX_VERSION`, apostrophes included.
 */
const TURN_RULES: readonly Rule[] = [
  [/^unexpected status 40[13]\b/u, "auth", CREDENTIALS],
  [
    /^Missing environment variable:/u,
    "auth",
    "Set the variable and name it in `pass-env`, so that it reaches Codex, then resume the loop.",
  ],
  [
    /^Quota exceeded|hit your usage limit/u,
    "usage_limit",
    "Resume the loop when the limit has ended, or raise the limit in the provider's billing settings.",
  ],
  [/^exceeded retry limit, last status: 429|^rate limit exceeded:|^unexpected status 429\b/u, "rate_limited", LATER],
  [
    /ran out of room in the model's context window/u,
    "context_full",
    "Nothing to do: Codex shortens the session when it is resumed, or the loop begins a fresh one. If that is full at once as well, shorten the prompt or choose a model with a larger context.",
  ],
  [
    /^Selected model is at capacity|currently experiencing high demand|^unexpected status 5\d\d\b/u,
    "overloaded",
    LATER,
  ],
  [
    /^stream disconnected before completion:|^Connection failed:/u,
    "transport",
    "Check the network and the proxy variables of this machine if it lasts, then resume the loop.",
  ],
  [
    /^Incomplete response returned, reason:/u,
    "truncated",
    "Ask for smaller steps if the model's answers are cut again and again.",
  ],
  [
    /^\{|^Invalid prompt:|does not exist or you do not have access|^unexpected status 4\d\d\b/u,
    "bad_request",
    FIX_REQUEST,
  ],
];

/** What Codex writes to stderr when it ends before a turn begins; the first match counts. */
const START_RULES: readonly Rule[] = [
  [/no rollout found for thread|rollout at .* is empty/u, "session_lost", FRESH_SESSION],
  [/already has an active writer/u, "busy", "End the other Codex that uses this session."],
  [/Not inside a trusted directory/u, "bad_request", "Run in a git repository, or use --skip-git-repo-check."],
  [/input_too_large/u, "bad_request", "Shorten the prompt to less than 1,048,576 characters."],
  [/CODEX_HOME/u, "bad_request", "Create the folder that CODEX_HOME names, or unset it."],
];

/** The failure that a turn of Codex ended with. `now` is in milliseconds since the epoch. */
export function turnFailure(message: string, now: number): ProviderFailure {
  const rule = TURN_RULES.find(([pattern]) => pattern.test(message));
  const shown = excerpt(serverMessage(message));
  if (rule === undefined) {
    return failure("protocol", shown || "Codex said that the turn failed, and not why.", {
      next: "Read events_iter_N.jsonl; a newer Codex may say things that this version does not know.",
    });
  }
  const [, kind, next] = rule;
  const resetsAt = readReset(message, now);
  return failure(kind, shown, {
    next,
    ...(resetsAt === undefined ? {} : { resetsAt }),
    ...(resetsAt !== undefined && resetsAt - now > SHORT_RESET_MS ? { retryable: false } : {}),
    ...(kind === "context_full" ? { retryable: true } : {}),
  });
}

/** Why Codex refused to begin, from what it wrote to stderr. */
export function startFailure(stderr: string): ProviderFailure {
  const rule = START_RULES.find(([pattern]) => pattern.test(stderr));
  const [, kind, next] = rule ?? [stderr, "bad_request" as const, FIX_OPTION];
  return failure(kind, refusal(stderr) || "Codex refused to start and did not say why.", { next });
}

export function notInstalled(message: string): ProviderFailure {
  return failure("not_installed", message, { next: `Install Codex: npm install -g @openai/codex@${CODEX_VERSION}` });
}

/** Why Codex could not be started: what the machine lacks is no reason to install it again. */
export function notStarted(error: Error | undefined): ProviderFailure {
  const lack = lackToStart(error);
  if (lack === undefined) return notInstalled(`Codex could not be started: ${error?.message ?? "no reason given"}`);
  return failure("crashed", `Codex could not be started: ${lack.what}.`, { next: `${lack.next}.` });
}

export function sessionLost(message: string): ProviderFailure {
  return failure("session_lost", message, { next: FRESH_SESSION });
}

/** Said before Codex is started, because its absence would look like Codex's own. */
export function noWorkspace(folder: string): ProviderFailure {
  return failure("bad_request", `The workspace ${folder} does not exist.`, {
    next: "Check out the repository there, or name another folder as the workspace.",
  });
}

/** Codex is not started without it: it would have to be given the key itself. */
export function noProxy(why: string): ProviderFailure {
  return failure("transport", `The proxy that keeps the key from the agent cannot open a port on 127.0.0.1: ${why}`, {
    next: "Let programs listen on 127.0.0.1, and check the limit of open files, then resume the loop.",
  });
}

/** The turn was ended on request. */
export function cancelled(): ProviderFailure {
  return failure("cancelled", "The turn was ended on request.");
}

/** The line of stderr that says why: Codex also logs there, and adds usage or a backtrace below. */
function refusal(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "" && !/^WARNING:|^warning:/u.test(line));
  return excerpt(lines.find((line) => /^error\b|^bwrap:/iu.test(line)) ?? lines.at(-1) ?? "");
}

/** A refused request's message is the server's body, which is JSON. */
function serverMessage(message: string): string {
  if (!message.startsWith("{")) return message;
  try {
    const body: unknown = JSON.parse(message);
    const error = typeof body === "object" && body !== null && "error" in body ? body.error : null;
    const inner = typeof error === "object" && error !== null && "message" in error ? error.message : null;
    return typeof inner === "string" ? inner : message;
  } catch {
    return message;
  }
}

/** The beginning of a message, as one line. */
export function excerpt(message: string): string {
  return message.trim().replaceAll(/\s+/gu, " ").slice(0, MESSAGE_CHARACTERS);
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `try again at Nov 21st, 2026 3:00 AM`; only the time when it is today */
const MOMENT = /try again at (?:([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}):(\d{2}) (AM|PM)/u;
/** `try again in 1.5s`, `in 6m0s`, `in 1h2m3s`, `in 250ms` */
const DELAY = /try again in (?:(\d+)h)?(?:(\d+)m(?!s))?(?:([\d.]+)(ms|s))?/u;

/**
 * When the limit in a message of Codex ends, in milliseconds since the epoch; undefined when it does not say. Codex
 * prints local times without the zone. We assume that it is ours, because both run on one machine and `TZ` is passed
 * on.
 */
function readReset(message: string, now: number): number | undefined {
  const end = resetIn(message, now);
  return end !== undefined && end - now <= LONGEST_RESET_MS ? end : undefined;
}

function resetIn(message: string, now: number): number | undefined {
  const moment = MOMENT.exec(message);
  if (moment !== null) return readMoment(moment, now);
  const delay = DELAY.exec(message);
  if (delay === null) return undefined;
  const [, hours = 0, minutes = 0, amount = 0, unit] = delay;
  const ms = Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(amount) * (unit === "ms" ? 1 : 1000);
  return ms > 0 ? now + Math.ceil(ms) : undefined;
}

function readMoment(moment: RegExpExecArray, now: number): number | undefined {
  const [, monthName, day, year, hour, minute, half] = moment;
  const today = new Date(now);
  const month = monthName === undefined ? today.getMonth() : MONTHS.indexOf(monthName);
  if (month === -1) return undefined;
  return new Date(
    year === undefined ? today.getFullYear() : Number(year),
    month,
    day === undefined ? today.getDate() : Number(day),
    (Number(hour) % 12) + (half === "PM" ? 12 : 0),
    Number(minute),
  ).getTime();
}
