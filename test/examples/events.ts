import { isPull } from "../support/github-api/issue-documents.ts";
import { closedEvent, dispatchEvent, type Event } from "../support/github-api/webhooks.ts";
import type { World } from "../support/github-api/world.ts";

/** A schedule is due. */
export const NIGHT: Event = {
  name: "schedule",
  payload: { schedule: "17 3 * * 1-5", repository: { private: true, default_branch: "main" } },
};

/** Alice presses "Run workflow". */
export function byHand(world: World, file: string, inputs: Record<string, string> = {}): Event {
  return dispatchEvent(world, { workflow: `.github/workflows/${file}`, ref: "main", inputs, login: "alice" });
}

/** Alice merges a pull request. */
export async function merged(world: World, number: number): Promise<Event> {
  const pull = world.issues.filter(isPull).find((issue) => issue.number === number);
  if (pull === undefined) throw new Error(`there is no pull request ${number}`);
  pull.state = "closed";
  pull.pull.merged = true;
  return closedEvent(world, number);
}
