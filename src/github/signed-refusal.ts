import { isPassing, refusalOf, saidIn, saysThat, statusOf } from "./github-refusal.ts";
import { refusalOfKind, refusalSaying, type RemoteRefusal } from "../git/refusal.ts";

/** Why commits were not made; `why` is part of a sentence, `next` a sentence or "". */
export type SignedRefusal =
  | {
      readonly because: "refused";
      readonly kind: Exclude<RemoteRefusal["kind"], "stale" | "unreachable">;
      readonly why: string;
      readonly next: string;
    }
  | { readonly because: "unreachable"; readonly why: string };

const NEEDS = "contents: write";
const UNKNOWN_BASE = /base_tree|parent sha does not exist|tree sha does not exist|object does not exist/iu;

/**
 * What a refused request for an object or a ref means.
 *
 * @param touchesWorkflows whether a workflow file is among the changes: a token that may not write these is told no more
 * than that it may not do this
 */
export function signedRefusalOf(error: unknown, touchesWorkflows: boolean): SignedRefusal {
  const why = refusalOf(error, NEEDS);
  if (isPassing(error)) return { because: "unreachable", why };
  const status = statusOf(error);
  const said = saidIn(error);
  if (touchesWorkflows && (status === 403 || status === 404)) return refused(refusalOfKind("workflow_files", said));
  const known = refusalSaying(said);
  if (known !== undefined && known.kind !== "stale") return refused(known);
  if (status === 409 && saysThat(error, /repository is empty/iu)) {
    const next = "Push a first commit before the loop begins, or leave sign-commits off.";
    return {
      because: "refused",
      kind: "incomplete",
      why: "the repository has no commit that could be built upon",
      next,
    };
  }
  if (status === 422 && UNKNOWN_BASE.test(said)) return refused(refusalOfKind("incomplete", said));
  if (status === 401) return refused(refusalOfKind("token", said));
  if (status === 403) return { because: "refused", kind: "permission", why, next: "" };
  if (status === 404) return { because: "refused", kind: "not_found", why, next: "" };
  if (status === 422) return { because: "refused", kind: "declined", why, next: "" };
  return { because: "unreachable", why };
}

function refused({ kind, because: why, next }: RemoteRefusal): SignedRefusal {
  if (kind === "stale" || kind === "unreachable") return { because: "unreachable", why };
  return { because: "refused", kind, why, next };
}
