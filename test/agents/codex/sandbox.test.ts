import { describe, expect, test } from "vitest";
import { denialOf, looksLikeNetworkDenial } from "../../../src/agents/codex/sandbox.ts";

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
])("the sandbox denies %s, and what would let it is named [POST 8]", (_what, output, options, allow) => {
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
])("no denial: %s [POST 8]", (_what, event, options) => {
  expect(denialOf(event, options)).toBeUndefined();
});

describe("output that looks like the closed network [C26]", () => {
  test.each([
    "net EPERM\n",
    "Error: connect EPERM 127.0.0.1:5432 - Local (undefined:undefined)",
    "Error: listen EPERM: operation not permitted 0.0.0.0:3000",
    "npm error code EAI_AGAIN\nnpm error request to https://example.invalid failed",
    "getaddrinfo EPERM example.invalid",
    "curl: (6) Could not resolve host: example.invalid",
    "fatal: unable to access 'https://example.invalid/': Could not resolve host: example.invalid",
    "Temporary failure in name resolution",
    "socket: Operation not permitted",
    "ping: socket: Operation not permitted",
    "dial tcp 127.0.0.1:80: socket: operation not permitted",
    "connect: Network is unreachable",
    "error: failed to lookup address information: Try again",
  ])("%j", (output) => expect(looksLikeNetworkDenial(output)).toBe(true));

  test.each([
    "",
    "12 tests passed",
    "rm: cannot remove 'a': Operation not permitted",
    "chown: changing ownership of 'x': Operation not permitted",
    "Error: EPERM: operation not permitted, unlink '/a/b'",
    "touch: cannot touch '/usr/x': Read-only file system",
  ])("not %j", (output) => expect(looksLikeNetworkDenial(output)).toBe(false));
});
