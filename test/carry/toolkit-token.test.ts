import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { callToolkit } from "../../src/carry/toolkit.ts";
import { tempFolder } from "../support/temp-folder.ts";

const SERVE = new URL("../../src/carry/serve-toolkit.ts", import.meta.url).href;
/** Tells how it was started, what others see of it, and what a program that it starts gets. */
const PROGRAM = `import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { serveToolkit } from "${SERVE}";
await serveToolkit(async () => ({
  token: process.env.ACTIONS_RUNTIME_TOKEN ?? null,
  url: process.env.ACTIONS_RESULTS_URL,
  flags: process.execArgv,
  own: process.platform === "linux" ? readFileSync("/proc/self/environ", "utf8") : "",
  default: execFileSync("/usr/bin/env", { encoding: "utf8" }),
  copied: execFileSync("/usr/bin/env", { encoding: "utf8", env: Object.assign({}, process.env, { MORE: "1" }) }),
}));
`;
const shape = z.object({
  ...{ token: z.string().nullable(), url: z.string(), flags: z.array(z.string()) },
  ...{ own: z.string(), default: z.string(), copied: z.string() },
});

test.for([["a token", "token-of-the-runner"] as const, ["none", undefined] as const])(
  "what talks to cache and artifacts has the job's token, where no other process of the user finds it: %s [T2]",
  async ([, token]) => {
    await using folder = await tempFolder("toolkit-");
    const program = path.join(folder.path, "program.mjs");
    await writeFile(program, PROGRAM);
    const env = { ...process.env, ACTIONS_RUNTIME_TOKEN: token, ACTIONS_RESULTS_URL: "http://results" };
    const options = { program, env, scratch: path.join(folder.path, "scratch"), mark: "toolkit-token" };
    const call = { request: {}, workspace: folder.path };
    const answer = await callToolkit(options, call, shape, new AbortController().signal);
    if (!answer.ok) throw new Error(answer.trouble.because);
    const { own, default: started, copied, ...seen } = answer.value;
    expect(seen).toEqual({ token: token ?? null, url: "http://results", flags: expect.any(Array) });
    expect(seen.flags).toContain("--disable-sigusr1");
    expect(copied).toContain("MORE=1");
    for (const text of [own, started, copied]) expect(text).not.toContain("ACTIONS_RUNTIME_TOKEN");
    expect(started).toContain("ACTIONS_RESULTS_URL=http://results");
  },
);
