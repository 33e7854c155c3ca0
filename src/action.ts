import { runAction } from "./app/action/run-action.ts";
import { thisProcess } from "./app/action/this-process.ts";

// Open sockets of the services would keep the process alive: when the answer is given, it ends.
process.exit(await runAction(thisProcess()));
