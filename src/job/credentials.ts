import { messageOf, OperationalError } from "../core/errors.ts";
import { findCredentials, putBack, takeOut } from "../git/kept-credentials.ts";
import type { GithubContext } from "../github/context.ts";
import { sweep } from "../os/supervise.ts";
import type { HandOver } from "../store/hand-over.ts";

interface Taking {
  readonly context: Pick<GithubContext, "temp" | "workspace">;
  readonly root: string;
  /** of this user; absent: its git configuration is not looked at */
  readonly home?: string | undefined;
  /** of all processes that the run starts */
  readonly mark: string;
  readonly handOver: Pick<HandOver, "displaced" | "displace" | "isProvable" | "job">;
  readonly notice: (text: string) => void;
}

/**
 * Does `work` while what the checkout keeps to log in with is out of the workspace's repositories (T13), and puts it back
 * when every process of the run is gone. What was taken out is in the hand-over, encrypted, so that post can put it back
 * after a kill; without any secret among the inputs it is in this process alone.
 *
 * @param work gets what of the credentials nobody may read, those included that stay
 * @throws what `work` throws, even where something cannot be put back, which is told; OperationalError
 * `CREDENTIALS_UNREADABLE` before `work` begins, when a configuration is too long to be looked at
 */
export async function withoutCredentials<T>(
  taking: Taking,
  work: (secrets: readonly string[]) => Promise<T>,
): Promise<T> {
  const { context, root, home, mark, handOver, notice } = taking;
  const found = await findCredentials({ root, job: context, home: home ?? null });
  const { keys, files, secrets } = found;
  if (found.tooLong.length > 0) throw tooLong(found.tooLong);
  if (found.others.length > 0) notice(theirs(found.others));
  if (found.unseen.length > 0) notice(unseen(found.unseen));
  if (found.isCut) notice(CUT);
  if (keys.length + files.length + secrets.length === 0) return work([]);
  await handOver.displace({ credentials: { keys, files }, secrets: [...new Set(secrets)] });
  const tidy = async (): Promise<void> => {
    // Also what has taken the mark out of its environment would read what is put back.
    await sweep(mark, handOver.job);
    await putCredentialsBack(handOver, notice);
  };
  const began = async (): Promise<T> => {
    const still = await takeOut(found);
    const changed = [...new Set([...keys, ...files].map((one) => one.file))];
    if (changed.length > 0) notice(taken(changed, handOver.isProvable));
    if (still.length > 0) notice(theirs(still));
    return work(secrets);
  };
  const done = await began().catch(async (error: unknown) => {
    await tidy().catch((later: unknown) => notice(messageOf(later)));
    throw error;
  });
  await tidy();
  return done;
}

/** Puts back what main has taken out, once, when no process of the run is left; nothing happens where that is nothing. */
export async function putCredentialsBack(
  handOver: Pick<HandOver, "displaced" | "displace">,
  notice: (text: string) => void,
): Promise<void> {
  const { credentials = null } = handOver.displaced ?? {};
  if (credentials === null) return;
  const failed = await putBack(credentials);
  if (failed.length > 0) notice(notBack(failed));
  await handOver.displace({ credentials: null });
}

const PERSIST = "To keep none: `persist-credentials: false` for actions/checkout.";

function taken(files: readonly string[], isProvable: boolean): string {
  const end = isProvable ? "" : " If this step is cancelled or killed, they stay out: then run actions/checkout again.";
  return `The checkout keeps credentials where the agent could read them (${files.join(", ")}): they are out of the way until the loop has stopped, and then put back.${end} ${PERSIST}`;
}

function theirs(files: readonly string[]): string {
  return `Credentials stay where they are, because the loop does not change these files, or not all that is written in them: ${files.join(", ")}. What runs without isolation can read them, and what is isolated those in the workspace. They are blanked out in all that leaves this machine. Remove them from there.`;
}

function unseen(files: readonly string[]): string {
  return `These were not looked at for credentials, because git cannot read them, nothing proves whose they are, or they are too long: ${files.join(", ")}. If they hold any, the agent may read them. Repair or remove them. ${PERSIST}`;
}

const CUT = `The workspace has more folders than are looked at for credentials of other checkouts, so some may have stayed where the agent can read them. ${PERSIST}`;

function tooLong(files: readonly string[]): OperationalError {
  return new OperationalError({
    code: "CREDENTIALS_UNREADABLE",
    what: `The git configuration is too long to be looked at for credentials (${files.join(", ")}): something has filled it. Nothing was started or changed.`,
    next: "Remove the workspace, and check it out again.",
  });
}

function notBack(files: readonly string[]): string {
  return `Credentials of the checkout could not be put back, because somebody has changed their place during the run: ${files.join(", ")}. The work is unharmed. If later steps need them, run actions/checkout again before.`;
}
