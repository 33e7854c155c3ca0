import { execFile } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.join(import.meta.dirname, "../..");

interface Ran {
  readonly status: number;
  readonly output: string;
}

/** `npm run fuzz`. The process's own Node.js is the one that npm brings. */
function fuzz(...args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["fuzz/main.ts", ...args],
      { cwd: ROOT, maxBuffer: 1 << 26 },
      (error, stdout, stderr) => {
        resolve({ status: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` });
      },
    );
  });
}

test(
  "thousands of hostile inputs break nothing, hang nothing and fill no memory [T15]",
  { timeout: 300_000 },
  async () => {
    const { status, output } = await fuzz("--cases", "500");
    expect(output).toMatch(/^\d+ targets, \d+ cases, 0 faults$/mu);
    expect(status).toBe(0);
  },
);
