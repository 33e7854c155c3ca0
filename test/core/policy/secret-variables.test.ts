import { expect, test } from "vitest";
import { coversVariable, partsOfSecret, secretVariables } from "../../../src/core/policy/secret-variables.ts";

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

/** As Google writes it; what is not secret stands in repositories too. */
const ACCOUNT = {
  type: "service_account",
  project_id: "shop-production-2",
  private_key_id: "8f3b2c1d9e7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c",
  private_key: "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\nZk3pQ9vT==\n-----END PRIVATE KEY-----\n",
  client_email: "deploy-2@shop-production-2.iam.gserviceaccount.com",
  client_id: "103948573948573948573",
  auth_uri: "https://accounts.google.com/o/oauth2/auth",
  client_x509_cert_url: "https://www.googleapis.com/robot/v1/metadata/x509/deploy",
};
const ACCOUNT_SECRETS = [ACCOUNT.private_key_id, ACCOUNT.private_key, "MIIEvQIBADANBgkqhkiG9w0BAQEF", "Zk3pQ9vT=="];
const CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBg\n-----END CERTIFICATE-----";

test.each([
  ["a service account in one line", JSON.stringify(ACCOUNT), ACCOUNT_SECRETS],
  ["a service account in lines", JSON.stringify(ACCOUNT, null, 2), ACCOUNT_SECRETS],
  ["a private key", ACCOUNT.private_key, ACCOUNT_SECRETS.slice(2)],
  ["a key behind its certificate", `${CERTIFICATE}\n${ACCOUNT.private_key}`, ACCOUNT_SECRETS.slice(2)],
  [
    "settings in YAML",
    `users:\n- name: deploy\n  user:\n    token: ab12-cd34-ef\n    client-key-data: "${RANDOM}"\n`,
    ["ab12-cd34-ef", RANDOM],
  ],
  [
    "variables",
    `export DB_PASSWORD=hunter22-x\nDB_NAME=shop_production_2\nDB_URL=postgres://me:s3cret-pw@db/x`,
    ["hunter22-x", "s3cret-pw", "me:s3cret-pw"],
  ],
  ["words in lines", `machine github.com login bob\npassword is ${RANDOM}, \nx1`, [`password is ${RANDOM},`, RANDOM]],
  ["lists", JSON.stringify({ tokens: ["first-1-x", "word"], other: [1, null, RANDOM] }), ["first-1-x", RANDOM]],
  ["what only begins like JSON", "{not-1-json", []],
  ["one line", RANDOM, []],
])("a secret of several parts is hidden in each of them: %s [T16]", (_what, secret, expected) => {
  expect(partsOfSecret(secret)).toEqual(expected);
});

test("a secret of very many parts does not make every search slow", () => {
  const rows = Array.from({ length: 300 }, (_, row) => `row-a${row}b`);
  expect(partsOfSecret(rows.join("\n"))).toEqual(rows.filter(({ length }) => length >= 8).slice(0, 256));
});

test("what pass-env hands on is looked through, whatever it is called [T16]", () => {
  const file = `apiVersion: v1\nuser:\n  token: ${RANDOM}\n`;
  expect(secretVariables({ KUBE_CONFIG: file, OTHER_CONFIG: file }, ["KUBE_CONFIG"])).toEqual([RANDOM]);
});
