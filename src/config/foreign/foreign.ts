import type { ConfigFile, Reading } from "../read.ts";

/** The systems whose own configuration files are read. */
export type System = "solo" | "loopr";

/** The configuration file of another system, as it was handed in. */
export interface ForeignFile extends ConfigFile {
  readonly system: System;
}

/**
 * What such a file says in settings of ours. It ranks below the config file and above the preset, which it may choose
 * by giving `preset`.
 */
export interface ForeignReading extends Reading {
  /** what a person should know although nothing is wrong */
  readonly notices: readonly string[];
}
