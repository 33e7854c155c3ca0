import path from "node:path";
import type { TokensOfOthers } from "../core/ports.ts";
import { tokensOn } from "../core/stop/wait.ts";
import { listLoops } from "./loop-files.ts";
import type { LoopPlace } from "./place.ts";

/** What the loops beside this one have used on a day, as their state files say; what cannot be read has used nothing. */
export function tokensBeside({ stateFile, loopId }: LoopPlace): TokensOfOthers {
  return async (now) => {
    const listed = await listLoops(path.dirname(stateFile)).catch(() => []);
    const others = listed.flatMap((loop) => ("state" in loop && loop.id !== loopId ? [loop.state] : []));
    return others.reduce((sum, state) => sum + tokensOn(state, now), 0);
  };
}
