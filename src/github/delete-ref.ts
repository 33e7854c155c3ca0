import { withCure } from "../git/refusal.ts";
import { RemoteGit, type RemoteGitPlace } from "../git/remote-git.ts";
import { oneAtATime } from "../os/concurrency.ts";
import { briefly } from "../views/plain-text.ts";

/** Whether a ref is gone. */
export type RefDeleted =
  /** `already`: there was none any more */
  | { readonly gone: true; readonly already: boolean }
  /** `moved`: it is not where it was seen, and is left; `why` is part of a sentence, with the cure where there is one */
  | { readonly gone: false; readonly moved: boolean; readonly why: string };

/**
 * Deletes a ref of the repository on the network, if it is still where it was seen. Never throws.
 *
 * @param ref whole, as in `refs/smithers/x`
 * @param expected the commit that it was seen at
 */
export type DeleteRef = (ref: string, expected: string) => Promise<RefDeleted>;

/** How long one ref may take, in milliseconds. */
const WITHIN_MS = 30_000;

/**
 * Deletes refs by git, one after the other: a push can compare and swap, which the API cannot (`contents: write`).
 *
 * @param signal ends whatever is under way
 */
export function createRefDeleter(place: RemoteGitPlace, signal: AbortSignal): DeleteRef {
  const inTurn = oneAtATime();
  return (ref, expected) =>
    inTurn(async () => {
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]);
      try {
        const remote = new RemoteGit(place, bounded);
        await remote.prepare(null);
        return await deleteRef(remote, ref, expected);
      } catch (error) {
        const why = bounded.aborted ? "there was no answer in time" : briefly(error);
        return { gone: false, moved: false, why };
      }
    });
}

async function deleteRef(remote: RemoteGit, ref: string, expected: string): Promise<RefDeleted> {
  const pushed = await remote.push([{ ref, to: null, expected }]);
  if (pushed.ok) return { gone: true, already: false };
  if (pushed.trouble.kind !== "stale") return { gone: false, moved: false, why: withCure(pushed.trouble) };
  const listed = await remote.list(ref);
  if (!listed.ok) return { gone: false, moved: false, why: listed.trouble.because };
  const now = listed.value.get(ref);
  if (now === undefined) return { gone: true, already: true };
  if (now === expected) return { gone: false, moved: false, why: "the server could not delete it" };
  return { gone: false, moved: true, why: `it was at ${short(expected)}, and now it is at ${short(now)}` };
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
