import { realpath } from "node:fs/promises";
import type { Command, Invocation } from "../app/command.ts";
import { consentToTask } from "../app/consent.ts";
import { locate, type Location } from "../app/locate.ts";
import { storedTask } from "../app/plan.ts";
import { prdInUse } from "../app/prd/read-prd.ts";
import { printJson, type Shell } from "../app/shell.ts";
import { forgetSettings } from "../app/resume/kept.ts";
import { findLoop } from "../app/loops/stored-loop.ts";
import { identityOf } from "../core/task.ts";
import { type Consented, consentsFolder, forgetConsents, listConsents } from "../store/consents.ts";
import { counted } from "../views/amounts.ts";
import { oneLine } from "../views/plain-text.ts";

export const TRUST_HELP = `A repository that you have cloned can come with .smithers.toml or .codex-solo.json. What they say takes effect
only after you have agreed, where it runs something, lets the agent do more, passes variables on, names files
outside or acts in your name. On a terminal a run asks; trust shows the same and agrees, on a terminal after a
question. It is kept outside of the repository, and asked about again whenever the file changes. What you say
yourself, as a flag or a SMITHERS_ variable, needs no consent. With --loop-id: to what a stored loop would run;
with --prd: to the commands that a PRD names.

Examples:
  smithers trust             shows what the files here do, and agrees
  smithers trust --list      shows what you have agreed to, everywhere
  smithers trust --forget    takes it back here, and what loops were given

Exit codes: 0 done, 64 bad usage, or you did not agree.`;

/** `smithers trust`: shows what the repository's files make the person's machine do, and keeps that they agree. */
export const trust: Command = async (invocation, shell) => {
  const folder = consentsFolder(shell.env);
  if (invocation.values.has("list")) {
    const all = folder === undefined ? [] : await listConsents(folder);
    tell(all, "You have agreed to nothing yet.", invocation, shell);
    return 0;
  }
  if (invocation.values.has("forget")) {
    const { root } = await locate(invocation.flags, shell, "silent");
    const forgotten = folder === undefined ? 0 : await forgetConsents(folder, await realpath(root));
    await forgetSettings(root, null, shell);
    if (invocation.json) printJson(shell, { schema: 1, forgotten });
    else
      shell.stdout.write(
        `Forgotten: ${counted(forgotten, "consent")} in ${root}, and what its loops were given. A run asks again.\n`,
      );
    return 0;
  }
  const location = await locate(invocation.flags, shell, "keep");
  await agreeToLoop(location, shell);
  const { root, prd: name } = location;
  const { knownWorktree } = await import("../app/checkout/worktree.ts");
  const beside = name === null ? undefined : await knownWorktree({ root, name, env: shell.env });
  await prdInUse(
    { config: { backlog: "prd", prd: name, story: null } },
    { root, work: beside?.root ?? root },
    shell,
    "keep",
  );
  const workspace = await realpath(location.root);
  const all = folder === undefined ? [] : await listConsents(folder);
  const here = all.filter((consented) => consented.workspace === workspace);
  tell(here, `Nothing in ${location.root} needs your consent.`, invocation, shell);
  return 0;
};

/** Only the loop that is named: its state may have come with the clone. */
async function agreeToLoop(location: Location, shell: Shell): Promise<void> {
  if (location.loopId === null && location.stateFile === null) return;
  const { place, state } = await findLoop(location, "resumable");
  await consentToTask(storedTask(place, identityOf(state, "")), new Set(), shell, "keep");
}

function tell(consents: readonly Consented[], none: string, { json }: Invocation, shell: Shell): void {
  if (json) {
    printJson(shell, {
      schema: 1,
      consents: consents.map(({ workspace, subject, at }) => ({ workspace, subject, at })),
    });
    return;
  }
  const lines = consents.map(
    ({ workspace, subject, at }) => `${oneLine(subject)} in ${oneLine(workspace)}, agreed ${at}`,
  );
  shell.stdout.write(`${(lines.length === 0 ? [none] : lines).join("\n")}\n`);
}
