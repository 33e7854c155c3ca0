import type { Given, Values } from "./config.ts";
import { propertyName, type SettingValue } from "./setting.ts";
import { SETTINGS } from "./settings.ts";

/** Every preset; none may ever open the sandbox to the whole machine (W-55). */
export const PRESETS: Readonly<Record<NonNullable<Values["preset"]>, Partial<Values>>> = {
  // The seed's own defaults, fixed even if ours change (W-14 to W-16, W-30, W-31, W-54).
  waylon: {
    completionPromise: "TASK_COMPLETE",
    promiseMode: "tag",
    maxIterations: 30,
    sandbox: "read-only",
    askForApproval: "on-request",
    session: "resume",
    hardStopToken: "HARD STOP",
    hardStopMode: "pause",
  },
  // Ralph's files and thresholds (R-15, R-16, R-26, R-32, C6): the plan and the status block end the loop;
  // it has no promise. The user says what the agent may write (C3).
  ralph: {
    backlog: "checklist",
    planFile: "@fix_plan.md",
    agentFile: "@AGENT.md",
    promptFile: "PROMPT.md",
    promiseMode: "off",
    statusBlock: "ralph",
    exitGate: "dual",
    session: "resume",
    maxCallsPerHour: 100,
    maxConsecutiveDoneSignals: 2,
    maxNoProgress: 3,
    maxSameError: 5,
    breakerOpenMultiplier: 2,
  },
  // Loopr's defaults (L-14 to L-21, C4). Only its status block ends the loop as done (L-23); it has no promise.
  loopr: {
    statusBlock: "loopr",
    exitGate: "dual",
    promiseMode: "off",
    maxCallsPerHour: 100,
    iterationTimeoutMinutes: 15,
    maxIterations: 50,
    maxConsecutiveDoneSignals: 2,
    maxNoProgress: 3,
    maxSameError: 5,
    maxConsecutiveTestLoops: 3,
    maxMissingStatus: 2,
    breakerOpenMultiplier: 1,
  },
  // Work without anybody looking on (S-17): a marker in place of the promise (S-10), the agent may write to the
  // workspace; the approval policy is its own (C19).
  solo: {
    doneToken: "[SOLO_DONE]",
    promiseMode: "off",
    fullAuto: true,
    askForApproval: null,
    session: "resume",
  },
  // One story a session and one commit a story (D-02, D-08, D-17), three more tries of a call that fails (D-36).
  daedalus: {
    backlog: "prd",
    session: "fresh",
    commit: "story",
    promiseMode: "tag",
    retries: 3,
  },
};

/** What a preset says, by the setting's name. */
export function readPreset(name: SettingValue): ReadonlyMap<string, Given> {
  const preset = Object.entries(PRESETS).find(([known]) => known === name)?.[1] ?? {};
  const source = { from: "preset", where: `preset ${String(name)}` } as const;
  const values = new Map(Object.entries(preset));
  const given = SETTINGS.map(({ name: setting }) => ({ setting, value: values.get(propertyName(setting)) }));
  return new Map(
    given.flatMap(({ setting, value }) => (value === undefined ? [] : [[setting, { value, source }] as const])),
  );
}
