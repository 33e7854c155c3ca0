import { type Item, message } from "../support/model-server.ts";

const PROMISE = "<promise>TASK_COMPLETE</promise>";

/** The agent ends its turn and claims that everything is done. */
export function claims(notes = "done", promise = PROMISE): Item {
  return message(`Everything is done.\n\nNOTES:\n- ${notes}\n\n${promise}`);
}

/** The agent ends its turn and says that there is more to do. */
export function worksOn(notes: string): Item {
  return message(`There is more to do.\n\nNOTES:\n- ${notes}`);
}
