import type { NotBefore, WaitReason } from "../core/state.ts";
import { oneLine } from "./plain-text.ts";

const WAITS = {
  interval: "the interval between iterations",
  rate_limit: "the provider limits the rate of requests",
  usage_limit: "the provider's usage limit is reached",
  calls_per_hour: "the calls of this hour are used up",
} as const satisfies Record<WaitReason, string>;

/** A wait, as its event or the state tells it. */
interface Wait {
  readonly until: string;
  readonly why: WaitReason;
}

const MESSAGE_LENGTH = 200;

/**
 * Until when a loop waits inside its run, and why (C12): `waiting until …: the calls of this hour are used up`.
 *
 * @param limit what the state knows of the limit, with the provider's words; null: it is none of the provider's
 */
export function waitText({ until, why }: Wait, limit: NotBefore | null): string {
  const said = oneLine(limit?.message ?? "").slice(0, MESSAGE_LENGTH);
  return `waiting until ${until}: ${WAITS[why]}${said === "" ? "" : ` (${said})`}`;
}
