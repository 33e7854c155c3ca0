/** Options that lift the agent's protection, maybe by accident (W-55, W-56). */
export interface Protection {
  readonly sandbox: string;
  /** what is passed on to the agent's program */
  readonly providerArgs: readonly string[];
}

const UNPROTECTED = "sandbox danger-full-access: the agent may change or delete anything you can, and use the network.";
const BYPASS = /^--yolo$|^--dangerously-|danger-full-access/u;

/** Each dangerous setting and what it allows, one line each. */
export function dangersOf(protection: Protection): readonly string[] {
  const args = protection.providerArgs.filter((arg) => BYPASS.test(arg));
  return [
    ...(protection.sandbox === "danger-full-access" ? [UNPROTECTED] : []),
    ...args.map((arg) => `${arg}: the agent's own approvals or sandbox are switched off.`),
  ];
}

/** The warning banner for dangerous settings; []: none (W-56). */
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
