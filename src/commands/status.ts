import { hasSandbox } from "../config/settings/agent.ts";
import { AGENT_STATE } from "../core/names.ts";
import type { Location } from "../app/locate.ts";
import { locateLoop, loopsOfWorkspace, type LoopsOfWorkspace } from "../app/loops/loops-of-repository.ts";
import { settingsNow } from "../app/read-settings.ts";
import { note, printJson, printLines, type Shell } from "../app/shell.ts";
import { keptSettings } from "../app/resume/kept.ts";
import { seenFromAfar, viewOfFound } from "../app/view-of.ts";
import type { Command, Invocation } from "../app/command.ts";
import { findLoop, type FoundLoop } from "../app/loops/stored-loop.ts";
import { tellLoops } from "./list.ts";
import { placeOf } from "../store/place.ts";
import { resultOf } from "../views/result.ts";
import type { RunView } from "../views/run-view.ts";
import { atAGlance } from "../views/at-a-glance.ts";
import { summary } from "../views/summary.ts";

/** `smithers status`: where a loop is, and whether it runs, has stopped or has crashed. */
export const status: Command = async (invocation, shell) => {
  const location = await locateLoop(invocation.flags, shell);
  const several = await severalIn(location);
  if (several !== undefined) {
    tellLoops([several], location.root, invocation.json, shell);
    return 0;
  }
  const found = await findLoop(location, "running").catch(async (error: unknown) => {
    const { findElsewhere } = await import("./cleaned-away.ts");
    const { record, told } = await findElsewhere(error, invocation.flags, shell);
    note(shell, told);
    return {
      place: placeOf(location.root, record.loop_id, null),
      state: record.state,
      alive: false,
      isElsewhere: true as const,
    };
  });
  await showLoop(found, invocation, shell);
  return 0;
};

/** The loops of the workspace where none is named and more than one could be meant; undefined: it is clear. */
async function severalIn({ root, loopId, stateFile }: Location): Promise<LoopsOfWorkspace | undefined> {
  if (loopId !== null || stateFile !== null) return undefined;
  const found = await loopsOfWorkspace(root);
  if (found.loops.length + found.broken.length < 2) return undefined;
  return found.loops.filter(({ alive }) => alive).length === 1 ? undefined : found;
}

export async function showLoop(
  found: FoundLoop & { readonly isElsewhere?: true },
  invocation: Invocation,
  shell: Shell,
): Promise<void> {
  const { state } = found;
  const { sandbox: was } = state[AGENT_STATE];
  // The flags of the run are not given again; without its sandbox the resumed agent could not write any more (C25).
  const sandbox = hasSandbox(state.provider) && was === "workspace-write" ? { sandbox: [was] } : {};
  const flags = { ...sandbox, ...invocation.flags };
  const kept = await keptSettings(found.place, shell);
  const onlooker = { program: shell.program, flags, kept, providerArgs: [] };
  const settings =
    state.stories === null ? {} : { settings: settingsNow(await locateLoop(invocation.flags, shell, "silent")) };
  const view = await viewOfFound(found, shell.env, { ...onlooker, ...settings });
  tell(found.isElsewhere === true ? seenFromAfar(view) : view, invocation, shell);
}

export function tell(view: RunView, { json, values }: Invocation, shell: Shell): void {
  if (json) printJson(shell, resultOf(view));
  else printLines(shell, values.has("verbose") ? summary(view) : atAGlance(view));
}
