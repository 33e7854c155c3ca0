import { expect, test } from "vitest";
import { checkEnvironment } from "../../src/app/check-environment.ts";
import { resolve } from "../config/support.ts";

const RANDOM = "v8Kq2LxT0pRz7WmB4nYc";

/** As main of a job finds them. */
const ENV = {
  PATH: "/opt/java/bin:/usr/bin",
  HOME: "/home/runner",
  JAVA_HOME: "/opt/java",
  DATABASE_URL: "postgres://app:app@localhost/app",
  LD_LIBRARY_PATH: "/work/app/build",
  LD_PRELOAD: "/work/app/x.so",
  DEPLOY: RANDOM,
  CODEX_API_KEY: "sk-secret-1",
  COPY: "key-of-the-input",
  GITHUB_ACTIONS: "true",
  ACTIONS_RUNTIME_TOKEN: RANDOM,
};
const ALWAYS = { PATH: ENV.PATH, HOME: ENV.HOME, TERM: "dumb" };

/** @param inputs of the Action; absent: on the command line */
function seen(inputs?: Record<string, string>) {
  return checkEnvironment(ENV, resolve(inputs === undefined ? {} : { inputs }).config);
}

test.each([
  [
    "the job's in the Action, less what is secret or steers every program",
    seen({ "api-key": "key-of-the-input" }),
    {
      env: ALWAYS,
      inside: {
        ...{ JAVA_HOME: "/opt/java", DATABASE_URL: ENV.DATABASE_URL, LD_LIBRARY_PATH: ENV.LD_LIBRARY_PATH },
        GITHUB_ACTIONS: "true",
      },
      withheld: ["COPY", "DEPLOY", "LD_PRELOAD"],
    },
  ],
  ["what every program needs on a person's machine", seen(), { env: ALWAYS, inside: {}, withheld: [] }],
  [
    "the same in the Action, where that is asked for",
    seen({ "check-env": "minimal" }),
    { env: ALWAYS, inside: {}, withheld: [] },
  ],
  [
    "what pass-env names, whatever it looks like, and no library before what isolates",
    seen({ "check-env": "minimal", "pass-env": "DEPLOY,LD_PRELOAD,CODEX_*" }),
    { env: { ...ALWAYS, DEPLOY: RANDOM }, inside: { LD_PRELOAD: ENV.LD_PRELOAD }, withheld: [] },
  ],
  [
    "both",
    seen({ "pass-env": "DEPLOY,LD_PRELOAD,CODEX_*,COPY,DATABASE_URL,JAVA_HOME,GITHUB_*" }),
    {
      env: {
        ...{ ...ALWAYS, DEPLOY: RANDOM, COPY: ENV.COPY, DATABASE_URL: ENV.DATABASE_URL, JAVA_HOME: "/opt/java" },
        GITHUB_ACTIONS: "true",
      },
      inside: { LD_LIBRARY_PATH: ENV.LD_LIBRARY_PATH, LD_PRELOAD: ENV.LD_PRELOAD },
      withheld: [],
    },
  ],
])("checks see %s, and never an agent's key [C95, T2, T3]", (_what, environment, expected) => {
  expect(environment).toEqual(expected);
});
