import { describe, expect, test } from "vitest";
import { looksLikeNetworkDenial } from "../../../src/agents/codex/network.ts";

describe("C26: output that looks like the closed network", () => {
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
