import { isDeepStrictEqual } from "node:util";
import { readForeign, wantsSolo } from "../../src/config/foreign.ts";
import { findMistake, keyLines } from "../../src/config/json-lines.ts";
import { parseText, parseTomlValue, valueText } from "../../src/config/parse.ts";
import { type Reading, readConfigFile, readSaid } from "../../src/config/read.ts";
import { SETTING_BY_NAME, SETTINGS } from "../../src/config/settings.ts";
import { mutated, mutatedJson } from "../mutate.ts";
import { hold, target } from "../target.ts";

const TOML = [
  'prompt = "Fix it."\nmax-iterations = 5\nquality-cmd = ["npm test", "npm run lint"]\nsuccess-cmd = ["npm", "test"]\ntodo-file = "TODO.md"\n',
  "# c\nprompt = '''\nmax-iterations = 3\n'''\n[a]\nb = 1\n[[c]]\nd = 2026-01-01\n\"max-iterations\" = 7\nsandbox = \"read-only\"\n",
  'provider = "command"\nprovider-command = ["sh", "-c", "true"]\npass-env = ["A_*"]\nisolate = {a = 1, b = [1, 2.5, inf, nan]}\n',
];
const NAMES = SETTINGS.map(({ name }) => name);
const WITHHELD = new Set(["prompt", "success-cmd", "provider-command"]);

/** Whatever was said: what comes of it is a value of a setting, or a message that a person can read. */
function holdReading({ given, problems, refused }: Reading, path: string): void {
  for (const [name, { source }] of given)
    hold(SETTING_BY_NAME.has(name) && source.where.includes(path), "what is given is a setting");
  for (const { code, what, next } of problems) {
    hold(/^[A-Z_]+$/u.test(code) && what !== "" && next !== "", "a problem says what to do");
    hold(!/line undefined\b/u.test(what), `a problem has a place: ${what}`);
  }
  for (const name of refused) hold(typeof name === "string", "what is refused has a name");
}

export const toml = target({
  name: "config-toml",
  covers: [
    "config/read.ts#readConfigFile",
    "config/read.ts#readEntries",
    "config/read.ts#withhold",
    "config/parse.ts#parseTomlValue",
  ],
  draw: (random) =>
    mutated(random, {
      seeds: TOML,
      words: [
        ...NAMES.map((name) => `\n${name} = `),
        "'''",
        '"""',
        "[[",
        "]]",
        "{",
        "}",
        "inf",
        "nan",
        "0x1",
        "a.b.c = 1",
        "\n",
      ],
    }),
  check(text) {
    const file = { path: ".smithers.toml", text };
    holdReading(readConfigFile(file), file.path);
    const { given } = readConfigFile({ ...file, withheld: WITHHELD });
    hold(
      [...WITHHELD].every((name) => !given.has(name)),
      "what nobody agreed to is not given",
    );
  },
});

const SOLO = [
  '{"autostart":true,"kickoff_prompt":"Go.","continue_prompt":"On.","done_token":"DONE","success_cmd":["npm","test"],"interval_seconds":2.5,"exit_on_success":false}',
  '{\n  "success_sh": "npm test",\n  "autostart": false\n}\n',
];
const LOOPR = [
  "# Loopr\nMAX_CALLS_PER_HOUR=100\nCODEX_TIMEOUT_MINUTES=15\n\nMAX_ITERATIONS=5\nMAX_NO_PROGRESS = 3\n",
  "MAX_SAME_ERROR=5\r\nMAX_MISSING_STATUS=3\r\n",
];

export const foreign = target({
  name: "config-foreign",
  covers: [
    "config/foreign.ts#readForeign",
    "config/foreign.ts#wantsSolo",
    "config/json-lines.ts#keyLines",
    "config/json-lines.ts#findMistake",
  ],
  draw: (random) => ({
    solo: mutatedJson(random, {
      seeds: SOLO,
      words: ["autostart", "success_cmd", "exit_on_success", "\uFEFF", "//", "'"],
    }),
    loopr: mutated(random, {
      seeds: LOOPR,
      words: ["MAX_ITERATIONS=", "=", "#", "constructor=1", "__proto__=2", "toString=3", "\n"],
    }),
  }),
  check({ solo, loopr }) {
    for (const reading of readForeign([
      { system: "solo", path: ".codex-solo.json", text: solo },
      { system: "loopr", path: ".loopr/config", text: loopr },
    ]))
      holdReading(reading, ".");
    wantsSolo(solo);
    const { line, column } = findMistake(solo);
    hold(line >= 1 && column >= 1 && line <= solo.split("\n").length, "a mistake has a place");
    if (isJson(solo)) for (const at of keyLines(solo).values()) hold(at >= 1, "a key has a line");
  },
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const VALUES = [
  "5",
  "on",
  "off",
  "2.5",
  '["a","b"]',
  "a, b",
  "a\nb",
  "none",
  "read-only",
  "auto",
  "9007199254740993",
  "Fix it.",
  "**/x,!y",
];

export const values = target({
  name: "config-values",
  covers: ["config/parse.ts#parseText", "config/parse.ts#valueText", "config/read.ts#readSaid"],
  draw: (random) => ({
    name: random.one(NAMES),
    text: mutated(random, { seeds: VALUES, words: ["[", "]", '"', ",", "-", "e9"] }).slice(0, 2_000),
  }),
  check({ name, text }) {
    const setting = SETTING_BY_NAME.get(name);
    hold(setting !== undefined, "it is a setting");
    const parsed = parseText(setting, text);
    if (parsed.ok) {
      const written = valueText(parsed.value);
      const again = written === undefined || written === "" ? parsed : parseText(setting, written);
      hold(again.ok && isDeepStrictEqual(again.value, parsed.value), "a value is read as it is written");
      parseTomlValue(setting, parsed.value);
    } else hold(parsed.expected !== "", "a wrong value is told");
    const variable = `SMITHERS_${name.toUpperCase().replaceAll("-", "_")}`;
    const said = {
      flags: { [name]: [text] },
      env: { [variable]: text },
      inputs: { [`INPUT_${name.toUpperCase()}`]: text },
    };
    for (const reading of readSaid(said)) holdReading(reading, "");
  },
});
