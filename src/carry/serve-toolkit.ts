import { createInterface } from "node:readline";
import { z } from "zod";
import { messageOf } from "../core/errors.ts";

const callSchema = z.object({
  nonce: z.uuid(),
  token: z.string().nullable(),
  request: z.unknown(),
  workspace: z.string(),
});

/** Of what has failed: far less than the other end looks at, so that the nonce before it is found. */
const MESSAGE_LIMIT = 1 << 14;

/** How often the program looks whether anybody still waits for it, in milliseconds. */
const LOOK_MS = 500;

/**
 * The other end of `callToolkit`: reads calls from stdin, one a line, and does one after the other. For each it changes to
 * the call's folder and answers on a line that begins with the call's nonce, which no other output can guess. Ends the
 * process when there will be no more.
 */
export async function serveToolkit(handle: (request: unknown) => Promise<unknown>): Promise<void> {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, LOOK_MS).unref();
  const home = process.cwd();
  for await (const line of createInterface({ input: process.stdin })) {
    const { nonce, token, request, workspace } = callSchema.parse(JSON.parse(line));
    process.chdir(workspace);
    if (token !== null) process.env = withHidden("ACTIONS_RUNTIME_TOKEN", token);
    process.env["GITHUB_WORKSPACE"] = workspace;
    const answer = await handle(request).then(
      (value) => ({ ok: true, value }),
      (error: unknown) => ({ ok: false, message: messageOf(error).slice(0, MESSAGE_LIMIT) }),
    );
    // Whoever asked may remove the folder now.
    process.chdir(home);
    await new Promise((resolve) => process.stdout.write(`\n${nonce}${JSON.stringify(answer)}\n`, resolve));
  }
  // The toolkit keeps its sockets open, which would keep the process.
  process.exit(0);
}

/** An environment that answers for one more variable, which no program that is started with it gets. */
function withHidden(name: string, value: string): NodeJS.ProcessEnv {
  const hidden: object = Object.create(null, { [name]: { value } });
  return Object.assign(Object.create(hidden), process.env);
}
