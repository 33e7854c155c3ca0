import { controlRefOf, type NamedRequest } from "../core/control-requests.ts";
import type { Result } from "../core/result.ts";
import { createRef } from "../github/refs.ts";
import type { Refused } from "../github/refusal.ts";
import type { Github } from "../github/client.ts";

/** What somebody asks of a loop that runs now. */
export interface ControlOrder extends NamedRequest {
  readonly loopId: string;
  /** any commit that the repository has: the request is in the name */
  readonly commit: string;
}

/**
 * Asks something of a loop that runs (`contents: write`): it looks for such refs several times a minute, and removes
 * what it has obeyed. Asking twice for the same is asking once. Never throws.
 */
export async function requestControl(github: Github, order: ControlOrder): Promise<Result<void, Refused>> {
  return createRef(github, controlRefOf(order.loopId, order), order.commit);
}
