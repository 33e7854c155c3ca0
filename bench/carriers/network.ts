import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { z } from "zod";
import { timed } from "./timed.ts";

/** The one run whose loop is carried, each time as another attempt. */
export const RUN = 1;

const factsSchema = z.object({
  environment: z.record(z.string(), z.string()),
  apiUrl: z.string(),
  token: z.string(),
  repository: z.object({ owner: z.string(), name: z.string(), id: z.number() }),
});

/** How the far end is reached. */
export type FarEndFacts = z.infer<typeof factsSchema>;

const placeSchema = z.object({ up: z.string(), down: z.string() });

/** The services that carriers talk to, in a process of their own. */
export interface FarEnd extends AsyncDisposable {
  readonly facts: FarEndFacts;
  /**
   * How long a bare HTTP client takes to send the archive that was saved last, and to fetch it; milliseconds. It is what
   * the network and its far end have of a save and a restore.
   */
  transfer(carrier: "cache" | "artifact"): Promise<{ readonly save: number; readonly restore: number }>;
}

export async function startFarEnd(): Promise<FarEnd> {
  const child = fork(path.join(import.meta.dirname, "far-end.ts"), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const facts = factsSchema.parse(await answerOf(child));
  return {
    facts,
    async transfer(carrier) {
      child.send(carrier);
      const { up, down } = placeSchema.parse(await answerOf(child));
      const [fetched, archive] = await timed(async () => (await fetch(down)).arrayBuffer());
      const headers = { "x-ms-blob-type": "BlockBlob", "content-type": "application/octet-stream" };
      const [sent, reply] = await timed(() => fetch(up, { method: "PUT", headers, body: archive }));
      if (!reply.ok) throw new Error(`The blob store answered ${reply.status}.`);
      return { save: sent.wall, restore: fetched.wall };
    },
    async [Symbol.asyncDispose]() {
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
    },
  };
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const [answer]: unknown[] = await once(child, "message");
  return answer;
}
