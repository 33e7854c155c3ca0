import { readFile } from "node:fs/promises";
import { z } from "zod";

const moment = z.number();
const observedSchema = z.object({
  loaded: z.array(z.object({ at: moment, name: z.string(), bytes: z.number() })),
  done: z.array(z.object({ at: moment, ms: z.number().nullable(), what: z.string() })),
});

/** What `observe.mjs` has noted of a process; milliseconds since it began. */
export type Observed = z.infer<typeof observedSchema>;

export async function readObserved(file: string): Promise<Observed> {
  return observedSchema.parse(JSON.parse(await readFile(file, "utf8")));
}

/** How many bytes of code were loaded before the first program or request of that name began. */
export function codeBefore({ loaded, done }: Observed, isIt: (what: string) => boolean): number {
  const end = done.find(({ what }) => isIt(what))?.at;
  if (end === undefined) throw new Error("It never began.");
  return loaded.filter(({ at }) => at < end).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Everything up to the agent's start, one line each, in the order of time. */
export function timeline({ loaded, done }: Observed): readonly string[] {
  const loads = loaded.map(({ at, name, bytes }) => ({ at, text: `loads ${name} (${Math.round(bytes / 1000)} KB)` }));
  const deeds = done.map(({ at, ms, what }) => ({ at, text: ms === null ? what : `${what} (${Math.round(ms)} ms)` }));
  const all = [...loads, ...deeds].toSorted((a, b) => a.at - b.at);
  const end = all.findIndex(({ text }) => text.startsWith("codex exec"));
  return all.slice(0, end + 1).map(({ at, text }) => `+${Math.round(at)} ms ${text}`);
}
