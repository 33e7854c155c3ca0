import { expect, test } from "vitest";
import { denialOf } from "../../../src/agents/codex/denials.ts";

const ended = (output: string, exitCode: number | null = 1) =>
  ({ type: "command.ended", command: "a command", exitCode, output }) as const;
const READ_ONLY = "touch: cannot touch '/usr/x': Read-only file system\n";
const NO_NETWORK = "curl: (6) Could not resolve host: example.invalid";

test.each<[string, string, Parameters<typeof denialOf>[1], RegExp]>([
  ["writing in read-only", READ_ONLY, { sandbox: "read-only", network: false }, /^--sandbox workspace-write /u],
  ["writing elsewhere", READ_ONLY, { sandbox: "workspace-write", network: true }, /^--sandbox danger-full-access /u],
  ["as Node.js says it", "EROFS: x", { sandbox: "workspace-write", network: false }, /^--sandbox danger/u],
  ["the network", NO_NETWORK, { sandbox: "workspace-write", network: false }, /^--network on /u],
  ["the network in read-only", NO_NETWORK, { sandbox: "read-only", network: true }, /^--network on /u],
])("POST 8: the sandbox denies %s, and what would let it is named", (_what, output, options, allow) => {
  expect(denialOf(ended(output), options)).toEqual({
    type: "permission.denied",
    what: "a command",
    allow: expect.stringMatching(allow),
  });
});

test.each<[string, Parameters<typeof denialOf>[0], Parameters<typeof denialOf>[1]]>([
  ["a command that went well", ended(READ_ONLY, 0), { sandbox: "read-only", network: false }],
  ["a command outside of the sandbox", ended(READ_ONLY), { sandbox: "danger-full-access", network: false }],
  ["an open network that is down", ended(NO_NETWORK), { sandbox: "workspace-write", network: true }],
  ["another failure", ended("1 failed"), { sandbox: "workspace-write", network: false }],
  [
    "a commit, which is not the agent's to make",
    ended("fatal: Unable to create '/w/.git/index.lock': Read-only file system"),
    { sandbox: "workspace-write", network: false },
  ],
  ["something else", { type: "message", text: READ_ONLY }, { sandbox: "read-only", network: false }],
  ["nothing", undefined, { sandbox: "read-only", network: false }],
])("POST 8: no denial: %s", (_what, event, options) => {
  expect(denialOf(event, options)).toBeUndefined();
});
