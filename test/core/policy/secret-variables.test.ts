import { expect, test } from "vitest";
import { coversVariable, secretVariables } from "../../../src/core/policy/secret-variables.ts";

const RANDOM = "v8Kq2LxT0pRz7WmB4nYc";

test.each([
  [
    "the runner's own tokens",
    { ACTIONS_RUNTIME_TOKEN: "runtime-1", ACTIONS_ID_TOKEN_REQUEST_TOKEN: "identity" },
    ["runtime-1", "identity"],
  ],
  ["what a name calls a token", { DEPLOY_TOKEN: "abc-def-9", NPM_TOKEN: "n0t-short" }, ["abc-def-9", "n0t-short"]],
  [
    "a password of letters alone",
    { PGPASSWORD: "correcthorse", DB_PASSWORD: "batterystaple" },
    ["correcthorse", "batterystaple"],
  ],
  [
    "a key with its kind before it",
    { MY_APIKEY: "abc-def-9", "aws-secret-access-key": "abc/def+9" },
    ["abc-def-9", "abc/def+9"],
  ],
  ["what looks random and is passed on", { SETUP: RANDOM }, [RANDOM]],
  [
    "user and password of a proxy",
    { HTTPS_PROXY: "http://joe:pass%2Fword1@proxy:80" },
    ["pass%2Fword1", "pass/word1", "joe:pass%2Fword1"],
  ],
  ["a token in an address", { ORIGIN: "https://abcdef123456@host/x" }, ["abcdef123456"]],
  ["a password that is no code of an address", { ORIGIN: "https://u:100%sure!!@host" }, ["100%sure!!", "u:100%sure!!"]],
])("a run's secrets: %s [T2]", (_what, env, secrets) => {
  expect(secretVariables(env, ["SETUP"])).toEqual(secrets);
});

test.each([
  ["short", { DEPLOY_TOKEN: "abc-de9" }],
  ["words and numbers", { TOKEN_MODE: "strictest", KEY_COUNT: "10000000", MODE: "PRODUCTION" }],
  ["paths", { KEY_FILE: "/etc/ssl/private/key.pem", TOKEN_PATH: "./some/token-1" }],
  ["addresses without a user", { TOKEN_URL: "https://host/token?x=1", PROXY: "http://:@proxy" }],
  ["our own settings", { "INPUT_DONE-TOKEN": "LOOP-DONE-1", SMITHERS_TODO_TOKEN: "HARD-STOP-1" }],
  ["random, but not passed on", { OTHER: RANDOM }],
  ["versions and names", { SETUP: "node-v20.11.1-linux-x64" }],
  ["ids of git", { SETUP: "0123456789abcdef0123456789abcdef01234567" }],
  ["names of the runner", { GITHUB_THING: RANDOM }],
  ["sentences", { SETUP: `a ${RANDOM}` }],
  ["repetitions", { SETUP: "a1a1a1a1a1a1a1a1a1a1" }],
  ["what is not set", { DEPLOY_TOKEN: undefined }],
])("nothing else is blanked out: %s [T24]", (_what, env) => {
  expect(secretVariables(env, ["SETUP", "GITHUB_*"])).toEqual([]);
});

test("a pattern means one variable or all with its beginning, never all there are [C8]", () => {
  const names = ["APP", "APP_A", "BAPP_A"];
  expect(names.filter((name) => coversVariable("APP_*", name))).toEqual(["APP_A"]);
  expect(names.filter((name) => coversVariable("APP", name))).toEqual(["APP"]);
  expect(names.filter((name) => coversVariable("*", name))).toEqual([]);
});
