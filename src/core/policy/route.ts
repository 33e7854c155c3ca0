import type { Status } from "../outcome.ts";
import type { LoopCommand } from "./command.ts";

export interface KnownLoop {
  readonly status: Status;
  readonly running: boolean;
}

export type Route =
  /** answered at once */
  | { readonly to: "reply" }
  /** to the run that is under way */
  | { readonly to: "run"; readonly kind: "pause" | "stop" | "cancel" }
  /** to a new run of the worker */
  | { readonly to: "worker"; readonly command: LoopCommand }
  /** two sentences for who asked: why, and what to do now */
  | { readonly to: "nobody"; readonly reason: string; readonly next: string };

const REPLY: Route = { to: "reply" };
const NO_LOOP = nobody("There is no loop here.", "Start one with /smithers start.");
const RUNNING = nobody(
  "The loop is running.",
  "Say what you want when it has ended, or pause it first with /smithers pause.",
);
const NOTHING_TO_END = "There is nothing that could be ended.";
const NOTHING_TO_ACCEPT = "There is no proof that could be accepted.";
const GO_ON_OR_CANCEL = "Let it go on with /smithers continue, or end it with /smithers cancel first.";

/**
 * Where a request goes, by what the loop does now. The worker decides whether it may go on (C25).
 *
 * @param loop null: none exists
 * @param byTrigger a failed check asks, not a person: without a loop, or when its task is over, one is started
 */
export function route(command: LoopCommand, loop: KnownLoop | null, byTrigger: boolean): Route {
  switch (command) {
    case "status":
      return REPLY;
    case "pause":
    case "stop":
      if (loop === null) return NO_LOOP;
      if (loop.running) return { to: "run", kind: command };
      return nobody(`The loop does not run: it is ${loop.status}.`, NOTHING_TO_END);
    case "cancel":
      if (loop === null) return NO_LOOP;
      if (loop.running) return { to: "run", kind: command };
      return isOver(loop) ? nobody(`The loop is over: it is ${loop.status}.`, NOTHING_TO_END) : worker(command);
    case "start":
      if (loop === null || (isOver(loop) && !loop.running)) return worker(command);
      return loop.running ? RUNNING : nobody(`There is a loop already: it is ${loop.status}.`, GO_ON_OR_CANCEL);
    case "fix":
      return loop?.running === true ? RUNNING : worker(command);
    case "accept":
      if (loop === null) return NO_LOOP;
      if (loop.running) return RUNNING;
      return isOver(loop) ? nobody(`The loop is over: it is ${loop.status}.`, NOTHING_TO_ACCEPT) : worker(command);
    case "continue":
    case "reset-circuit":
      if (loop === null) return byTrigger ? worker("start") : NO_LOOP;
      if (loop.running) return RUNNING;
      return byTrigger && isOver(loop) ? worker("start") : worker(command);
  }
}

/** Whether a loop cannot go on: any request for it begins again. */
export function isOver({ status }: Pick<KnownLoop, "status">): boolean {
  return status === "completed" || status === "canceled";
}

function worker(command: LoopCommand): Route {
  return { to: "worker", command };
}

function nobody(reason: string, next: string): Route {
  return { to: "nobody", reason, next };
}
