import type { Status } from "../outcome.ts";
import type { Command } from "./command.ts";

/** A loop as its ref tells of it. */
export interface KnownLoop {
  readonly status: Status;
  /** whether a run of it is under way */
  readonly running: boolean;
}

/** Where a request goes. */
export type Route =
  /** answered at once */
  | { readonly to: "reply" }
  /** to the run that is under way */
  | { readonly to: "run"; readonly kind: "pause" | "stop" | "cancel" }
  /** to a new run of the worker */
  | { readonly to: "worker"; readonly command: Command }
  /** `reason` is a sentence for who asked */
  | { readonly to: "nobody"; readonly reason: string };

const REPLY: Route = { to: "reply" };
const NO_LOOP = nobody("There is no loop on this pull request. Start one with /smithers start.");
const RUNNING = nobody("The loop is running. Ask for what you want when it has paused or ended, or pause it first.");

/**
 * Where a request goes, by what the loop does now. Whether it may go on is for the worker to decide (C25).
 *
 * @param loop null: there is none
 * @param byTrigger nobody asks but a check that failed: where there is no loop, one is started
 */
export function route(command: Command, loop: KnownLoop | null, byTrigger: boolean): Route {
  switch (command) {
    case "status":
      return REPLY;
    case "pause":
    case "stop":
      if (loop === null) return NO_LOOP;
      return loop.running ? { to: "run", kind: command } : nobody(`The loop does not run: it is ${loop.status}.`);
    case "cancel":
      if (loop === null) return NO_LOOP;
      if (loop.running) return { to: "run", kind: command };
      return isOver(loop) ? nobody(`The loop is over: it is ${loop.status}.`) : worker(command);
    case "start":
      if (loop === null || (isOver(loop) && !loop.running)) return worker(command);
      return loop.running ? RUNNING : nobody(thereIsOne(loop));
    case "prd":
      return loop?.running === true ? RUNNING : worker(command);
    default:
      if (loop === null) return byTrigger ? worker("start") : NO_LOOP;
      return loop.running ? RUNNING : worker(command);
  }
}

function isOver({ status }: KnownLoop): boolean {
  return status === "completed" || status === "canceled";
}

function thereIsOne({ status }: KnownLoop): string {
  return `There is a loop already: it is ${status}. Let it go on with /smithers continue, or end it with /smithers cancel.`;
}

function worker(command: Command): Route {
  return { to: "worker", command };
}

function nobody(reason: string): Route {
  return { to: "nobody", reason };
}
