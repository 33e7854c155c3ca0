import { text } from "node:stream/consumers";
import { z } from "zod";
import { messageOf } from "../core/errors.ts";

const callSchema = z.object({
  nonce: z.uuid(),
  token: z.string().nullable(),
  request: z.unknown(),
  workspace: z.string(),
});

/** How often the program looks whether anybody still waits for it, in milliseconds. */
const LOOK_MS = 500;

/**
 * The other end of `callToolkit`: reads the call from stdin, changes to its folder, answers on a line that begins with
 * the call's nonce, which no other output can guess, and ends the process.
 */
export async function serveToolkit(handle: (request: unknown) => Promise<unknown>): Promise<void> {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, LOOK_MS).unref();
  const { nonce, token, request, workspace } = callSchema.parse(JSON.parse(await text(process.stdin)));
  process.chdir(workspace);
  if (token !== null) process.env = withHidden("ACTIONS_RUNTIME_TOKEN", token);
  process.env["GITHUB_WORKSPACE"] = workspace;
  const answer = await handle(request).then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, message: messageOf(error) }),
  );
  // The toolkit keeps its sockets open, which would keep the process.
  process.stdout.write(`\n${nonce}${JSON.stringify(answer)}\n`, () => process.exit(0));
}

/** An environment that answers for one more variable, which no program that is started with it gets. */
function withHidden(name: string, value: string): NodeJS.ProcessEnv {
  const hidden: object = Object.create(null, { [name]: { value } });
  return Object.assign(Object.create(hidden), process.env);
}
