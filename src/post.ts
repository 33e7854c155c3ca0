import { runPost } from "./app/action/run-post.ts";
import { thisProcess } from "./app/action/this-process.ts";

// Open sockets of the services would keep the process alive: when the answer is given, it ends.
process.exit(await runPost(thisProcess()));
