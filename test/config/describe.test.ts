import { describe, expect, test } from "vitest";
import { formatSettings, settingFlags } from "../../src/config/describe.ts";
import { parseText, valueText } from "../../src/config/parse.ts";
import { concerns, environmentName, namesOf } from "../../src/config/setting.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { resolve } from "./support.ts";

function flag(name: string) {
  return settingFlags().find((candidate) => candidate.name === name);
}

describe("the table", () => {
  test("no name is used twice", () => {
    const names = SETTINGS.flatMap((setting) => namesOf(setting));
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(SETTINGS.map((setting) => [setting.name, setting] as const))(
    "%s can be read and taught",
    (name, setting) => {
      expect(name).toMatch(/^[a-z]+(?:-[a-z]+)*$/u);
      expect(setting.help).toMatch(/^[A-Z].*\.$/u);
    },
  );

  test.each(SETTINGS.filter((setting) => setting.default !== null).map((setting) => [setting.name, setting] as const))(
    "%s accepts its own default",
    (_, setting) => {
      expect(parseText(setting, valueText(setting.default) ?? "[]")).toEqual({ ok: true, value: setting.default });
    },
  );

  test("its environment name [W-14]", () => {
    expect(environmentName("max-iterations")).toBe("SMITHERS_MAX_ITERATIONS");
  });
});

describe("flags", () => {
  test("a number with its default [W-14]", () => {
    expect(flag("max-iterations")).toMatchObject({
      flags: ["--max-iterations"],
      value: "<number>",
      defaultText: "30",
      environment: "SMITHERS_MAX_ITERATIONS",
      group: "Limits",
      hidden: false,
    });
  });
  test("a choice shows what can be chosen [W-22]", () => {
    expect(flag("sandbox")?.value).toBe("<read-only|workspace-write|danger-full-access>");
  });
  test("a switch takes no value and can be switched off [W-23]", () => {
    expect(flag("full-auto")).toMatchObject({ negated: "--no-full-auto", defaultText: "off" });
    expect(flag("full-auto")).not.toHaveProperty("value");
  });
  test("an alias is a second flag [L-15]", () => {
    expect(flag("iteration-timeout-minutes")?.flags).toEqual([
      "--iteration-timeout-minutes",
      "--codex-timeout-minutes",
    ]);
  });
  test("a secret has no flag that is shown", () => {
    expect(flag("api-key")?.hidden).toBe(true);
  });
  test("a list can be repeated [D-22]", () => {
    expect(flag("quality-commands")).toMatchObject({ repeatable: true, value: "<command>" });
    expect(flag("quality-commands")).not.toHaveProperty("defaultText");
  });
});

describe("--dry-run", () => {
  const lines = formatSettings(
    resolve({
      flags: { prompt: "Fix it,\nall of it", "success-cmd": '["npm","test"]', "full-auto": "on" },
      env: { SMITHERS_API_KEY: "sk-very-secret" },
      file: "max-iterations = 7",
    }),
  );

  test("a line for each setting that means something to the command line", () => {
    const names = SETTINGS.filter((setting) => concerns(setting, "command-line")).map(({ name }) => name);
    expect(lines.map((line) => line.split(" ")[0])).toEqual(names);
  });
  test.each([
    [/^max-iterations +7 +\.smithers\.toml line 1 \[max-iterations\]$/u],
    [/^prompt +"Fix it,\\nall of it" +--prompt$/u],
    [/^success-cmd +\["npm","test"\] +--success-cmd$/u],
    [/^sandbox +workspace-write +--full-auto$/u],
    [/^max-tokens +off +default$/u],
    [/^model +- +default$/u],
    [/^api-key +\(set, not shown\) +SMITHERS_API_KEY$/u],
  ])("%s", (line) => {
    expect(lines.filter((candidate) => line.test(candidate))).toHaveLength(1);
  });
  test("a secret is not shown", () => {
    expect(lines.join("\n")).not.toContain("sk-very-secret");
  });
});
