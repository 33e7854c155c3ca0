import { parse } from "yaml";

export const HERE = { platform: "linux", arch: "x64" };
export const FAILED = { job: "test", labels: ["ubuntu-24.04"], steps: ["Run npm test"] };

/** A workflow whose job `test` has these lines above its steps, and these steps. */
export function workflow(steps: string, { job = "", top = "" } = {}): unknown {
  const lines = (text: string, by: string): string =>
    text === ""
      ? ""
      : `${text
          .split("\n")
          .map((line) => by + line)
          .join("\n")}\n`;
  return parse(`on: push\n${lines(top, "")}jobs:\n  test:\n${lines(job, "    ")}    steps:\n${lines(steps, "      ")}`);
}

export const STEP = "- run: npm test";
