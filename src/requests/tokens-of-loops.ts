import { isLoopId, LOOP_REFS } from "../core/names.ts";
import type { TokensOfOthers } from "../core/ports.ts";
import type { LoopState } from "../core/state.ts";
import { tokensOn } from "../core/stop/limits.ts";
import type { GithubAccess } from "../github/access.ts";
import { listRefs } from "../github/refs.ts";
import { inBatches } from "../os/concurrency.ts";
import { readRecordAt } from "./find-loop.ts";

/** How long the answer may take, in milliseconds: the loop waits for it before each turn. */
const WITHIN_MS = 20_000;

/** What the job's loops use is counted with. */
interface Counting {
  readonly loopId: string;
  /** undefined: there is no token */
  readonly github: GithubAccess | undefined;
  readonly notice: (text: string) => void;
}

type Iterations = Pick<LoopState, "iterations">;

/**
 * What the other loops of a repository have used on a day, as the records on their refs say (`contents: read`). A record
 * is read again only when its ref has moved. What cannot be read has used what it had when it was read last, and people
 * are told once.
 */
export function tokensOfLoops({ loopId, github, notice }: Counting): TokensOfOthers {
  const read = new Map<string, { readonly commit: string; readonly state: Iterations }>();
  let isTold = false;
  const tell = (why: string): void => {
    if (!isTold) notice(`max-tokens-per-day does not count all other loops of the repository: ${why}.`);
    isTold = true;
  };
  return async (now) => {
    await refresh();
    return [...read.values()].reduce((sum, { state }) => sum + tokensOn(state, now), 0);
  };

  async function refresh(): Promise<void> {
    if (github === undefined) return tell("there is no github-token to read their refs with");
    const client = await github.within(WITHIN_MS);
    const refs = await listRefs(client, LOOP_REFS);
    if (!refs.ok) return tell(refs.trouble.because);
    const others = refs.value.map(({ ref, commit }) => ({ id: ref.slice(LOOP_REFS.length), commit }));
    const moved = others.filter(({ id, commit }) => isLoopId(id) && id !== loopId && read.get(id)?.commit !== commit);
    await inBatches(moved, async ({ id, commit }) => {
      const found = await readRecordAt(client, id, commit);
      if (found.ok) read.set(id, { commit, state: { iterations: found.value.record.state.iterations } });
      else tell(found.trouble.because);
    });
  }
}
