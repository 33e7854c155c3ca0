import { describe, expect, test } from "vitest";
import { configOf } from "../../src/config/config.ts";
import { propertyName, type SettingValue } from "../../src/config/setting.ts";
import { resolve } from "./support.ts";

const VALUES = new Map<string, SettingValue>(Object.entries(resolve().config));
const given = (overrides: Readonly<Record<string, SettingValue>>) => () =>
  configOf(({ name }) => overrides[name] ?? VALUES.get(propertyName(name)) ?? null);

describe("a value that its row does not allow is a bug that names the setting", () => {
  test("what the rows allow is the config", () => {
    expect(given({})()).toEqual(resolve().config);
  });

  test.each([
    ["a text for a number", "max-iterations", "30"],
    ["a text for a switch", "network", "on"],
    ["a number for a text", "prompt", 1],
    ["another word than the choices", "sandbox", "none"],
    ["another word in a list of choices", "carriers", ["ref", "floppy"]],
    ["a text for a list", "pass-env", "A"],
    ["a text for a command", "provider-args", "--a"],
  ])("%s", (_, name, value) => {
    expect(given({ [name]: value })).toThrow(`Settings have values that their rows do not allow: ${name}`);
  });

  test("nothing where there must be something", () => {
    const config = () => configOf(({ name }) => (name === "branch" ? null : (VALUES.get(propertyName(name)) ?? null)));
    expect(config).toThrow("Settings have values that their rows do not allow: branch");
  });
});
