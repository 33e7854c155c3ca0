import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { maskSecrets, secretsOf, withoutSecrets, withoutSecretsIn } from "../../src/store/redaction.ts";
import { resolveSettings } from "../../src/config/resolve.ts";
import { createRunnerLog } from "../../src/os/runner-log.ts";
import { aState } from "../support/builders.ts";
import { runnerCommands } from "../support/runner/commands.ts";

const config = (inputs: Record<string, string>, env: Record<string, string> = {}) =>
  resolveSettings({
    flags: {},
    env,
    inputs: {
      INPUT_PROMPT: "Do it.",
      ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
    },
  }).config;

test("secrets are masked as they are and as they look encoded; what is short would blank out words [T24]", async () => {
  const known = config({ "api-key": 'k"y/with+100%', "github-token": "short", "state-key": "only letters and blanks" });
  expect(secretsOf(known)).toEqual(['k"y/with+100%', "only letters and blanks"]);
  const stream = new PassThrough();
  maskSecrets(known, createRunnerLog(stream));
  stream.end();
  const masked = runnerCommands(await text(stream)).map(({ name, data }) => [name, data]);
  expect(masked).toEqual(
    [
      'k"y/with+100%',
      "ayJ5L3dpdGgrMTAwJQ==",
      "k%22y%2Fwith%2B100%25",
      'k\\"y/with+100%',
      "only letters and blanks",
      "b25seSBsZXR0ZXJzIGFuZCBibGFua3M=",
      "only%20letters%20and%20blanks",
    ].map((form) => ["add-mask", form]),
  );
});

test("what the job's variables hold is secret as well, and a state leaves without it and without tokens [T2, T16]", () => {
  const env = {
    ACTIONS_RUNTIME_TOKEN: "runtime-token-1",
    SETUP: "v8Kq2LxT0pRz7WmB4nYc",
    OTHER: "v8Kq2LxT0pRz7WmB4nYd",
  };
  const known = config({ "api-key": "the-key-of-the-model", "pass-env": "SETUP" }, env);
  expect(secretsOf(known)).toEqual(["the-key-of-the-model", "runtime-token-1", "v8Kq2LxT0pRz7WmB4nYc"]);
  const token = "ghp_aB3dE5gH1jK2mN4pQ6rS7tU8vW9xY0zAbCd";
  const quoted = `"${env.SETUP}" ${token} -----BEGIN PRIVATE KEY-----\\"`;
  const state = withoutSecrets(aState({ guidance: quoted }), known);
  expect(state).toEqual(aState({ guidance: '"***" *** ***\\"' }));
  const clean = aState({ guidance: "nothing" });
  expect(withoutSecrets(clean, known)).toBe(clean);
});

test("a secret that an agent made a name of does not leave either [T2, T16]", () => {
  const known = config({ "api-key": "the-key-of-the-model" });
  const other = { "the-key-of-the-model": "x", LATER: ["the-key-of-the-model", { "a the-key-of-the-model": 1 }] };
  expect(withoutSecretsIn({ block: { other } }, known)).toEqual({
    block: { other: { "***": "x", LATER: ["***", { "a ***": 1 }] } },
  });
});
