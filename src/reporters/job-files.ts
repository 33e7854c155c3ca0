import { setOutput } from "@actions/core";

/** Hands a job's later steps what they can ask of this one. */
export function setOutputs(outputs: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(outputs)) setOutput(name, value);
}
