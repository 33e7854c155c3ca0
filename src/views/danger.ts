/** What lifts the agent's protection although nobody may have meant it to (W-55, W-56). */
export interface Protection {
  readonly sandbox: string;
  /** what is handed through to the agent's program */
  readonly providerArgs: readonly string[];
}

const BYPASS = /^--yolo$|^--dangerously-|danger-full-access/u;

/** Each dangerous setting and what it allows, one line each. */
export function dangersOf(protection: Protection): readonly string[] {
  const dangers: string[] = [];
  if (protection.sandbox === "danger-full-access") {
    dangers.push("sandbox danger-full-access: the agent may change or delete anything you can, and use the network.");
  }
  for (const arg of protection.providerArgs) {
    if (BYPASS.test(arg)) dangers.push(`${arg}: the agent's own approvals or sandbox are switched off.`);
  }
  return dangers;
}

/** The warning banner for dangerous settings, [] when there are none (W-56). */
export function dangerBanner(protection: Protection): readonly string[] {
  const dangers = dangersOf(protection);
  if (dangers.length === 0) return [];
  return [
    "!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!  WARNING  !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!",
    ...dangers,
    "Run this only where nothing is of value: a container or a virtual machine.",
    "!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!",
  ];
}
