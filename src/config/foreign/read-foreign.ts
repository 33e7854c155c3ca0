import type { ForeignFile, ForeignReading, System } from "./foreign.ts";
import { readLooprFile } from "./loopr.ts";
import { readSoloFile } from "./solo.ts";

const READERS: Readonly<Record<System, (file: ForeignFile) => ForeignReading>> = {
  solo: readSoloFile,
  loopr: readLooprFile,
};

/** Reads the configuration files of other systems, what outranks the rest first. */
export function readForeign(files: readonly ForeignFile[]): readonly ForeignReading[] {
  return files.map((file) => READERS[file.system](file));
}
