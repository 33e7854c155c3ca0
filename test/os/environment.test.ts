import { chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { childEnvironment, findProgram } from "../../src/os/environment.ts";
import { tempFolder } from "../support/temp-folder.ts";

describe("threats 3: the child environment is an allow-list", () => {
  test.each([
    "PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_ALL LC_MESSAGES TZ TMPDIR CI".split(" "),
    "HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy".split(" "),
    "SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS RUNNER_TRACKING_ID XDG_CONFIG_HOME".split(" "),
  ])("passes %s …", (...names) => {
    const env = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
    expect(childEnvironment(env, [])).toEqual({ ...env, TERM: "dumb" });
  });

  test.each([
    "GITHUB_TOKEN GH_TOKEN INPUT_TOKEN ACTIONS_RUNTIME_TOKEN ACTIONS_ID_TOKEN_REQUEST_TOKEN".split(" "),
    "GITHUB_ENV GITHUB_OUTPUT GITHUB_PATH GITHUB_STATE GITHUB_STEP_SUMMARY".split(" "),
    "NODE_OPTIONS LD_PRELOAD LD_LIBRARY_PATH BASH_ENV ENV GIT_DIR GIT_CONFIG_COUNT OPENAI_API_KEY".split(" "),
    "SMITHERS_TREE SMITHERS_MAX_ITERATIONS TERM path LC XDG".split(" "),
  ])("drops %s …", (...names) => {
    const env = Object.fromEntries(names.map((name) => [name, "secret"]));
    expect(childEnvironment(env, [])).toEqual({ TERM: "dumb" });
  });

  test.each<[string, string[], Record<string, string>]>([
    ["a name", ["OPENAI_API_KEY"], { OPENAI_API_KEY: "k" }],
    ["a prefix", ["npm_*"], { npm_config_a: "1", npm_config_b: "2" }],
    ["a name that is not set", ["MISSING"], {}],
    ["a lone star, which passes nothing", ["*"], {}],
    ["a star in the middle, which is no pattern", ["npm_*_a"], {}],
  ])("passes what is listed: %s", (_name, passEnv, passed) => {
    const env = { OPENAI_API_KEY: "k", npm_config_a: "1", npm_config_b: "2", GITHUB_TOKEN: "t", MISSING: undefined };
    expect(childEnvironment(env, passEnv)).toEqual({ TERM: "dumb", ...passed });
  });

  test("a listed TERM is the person's", () => {
    expect(childEnvironment({ TERM: "xterm" }, ["TERM"])).toEqual({ TERM: "xterm" });
  });
});

test("the first program of that name counts; folders, plain files and empty entries do not", async () => {
  await using folder = await tempFolder();
  const file = (name: string) => path.join(folder.path, name);
  await Promise.all(["a/tool", "b", "c", "d"].map((name) => mkdir(file(name), { recursive: true })));
  await Promise.all(["b", "c", "d"].map((name) => writeFile(file(`${name}/tool`), "#!/bin/sh\n")));
  await Promise.all(["c", "d"].map((name) => chmod(file(`${name}/tool`), 0o755)));
  const search = (...names: readonly string[]) => names.map((name) => name && file(name)).join(path.delimiter);
  expect(findProgram("tool", search("", "nowhere", "a", "b", "c", "d"))).toBe(file("c/tool"));
  expect(findProgram("tool", search("", "nowhere", "a", "b"))).toBeUndefined();
});
