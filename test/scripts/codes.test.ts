import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { codesDefinedTwice, undefinedCodes } from "../../scripts/codes.ts";
import { type TempFolder, tempFolder } from "../support/temp-folder.ts";

const REQUIREMENTS = `# Requirements
## 3 Decisions
### C1 Two blocks
## 4 The stop decision
### 4.3 Claim and veto
| Row    | What   |
| ------ | ------ |
| W-37   | a tag  |
| POST 7 | a claim |
| B3     | bold   |
`;
const THREATS = "# Threats\n### T12 Git\n## 3 The child\n## 5 The rest\n";

/** A project with these texts besides its two pages. */
async function project(files: Readonly<Record<string, string>>): Promise<TempFolder> {
  const folder = await tempFolder();
  const all = { "docs/requirements.md": REQUIREMENTS, "docs/threats.md": THREATS, ...files };
  for (const [name, text] of Object.entries(all)) {
    const file = path.join(folder.path, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return folder;
}

test("codes that the two pages define can be cited everywhere", async () => {
  await using folder = await project({
    "src/core/a.ts": "// W-37, C1, POST 7, B3, T12, section 4.3, sections 3 and 4, threats, section 3\n",
    "test/a.test.ts": 'test("a claim [POST 7]", () => {});\n',
  });
  expect(await undefinedCodes(folder.path)).toEqual([]);
  expect(await codesDefinedTwice(folder.path)).toEqual([]);
});

// Taken apart, or this file would cite them.
test.each([
  ["a row", ["W-", "38"]],
  ["a row that is misspelt", ["W-", "370"]],
  ["a decision", ["C", "29"]],
  ["a threat", ["T", "1"]],
  ["a row of a stop table", ["POST ", "7b"]],
  ["a case", ["P", "3"]],
  ["a section", ["section ", "4.9"]],
  ["a section of the other page", ["section ", "5"]],
  ["a section of the threats", ["threats, ", "section ", "4"]],
])("a code that nobody defines is found with file and line: %s", async (_what, parts) => {
  const code = parts.join("");
  await using folder = await project({ "src/a.ts": `// W-37\n/** Why (${code}). */\n`, "README.md": `See ${code}.\n` });
  expect(await undefinedCodes(folder.path)).toEqual([
    { file: "README.md", line: 1, code },
    { file: path.join("src", "a.ts"), line: 2, code },
  ]);
});

test("of several sections each is looked up", async () => {
  const [known, unknown] = ["4.3", "9.9"];
  await using folder = await project({ "scripts/a.ts": `// sections ${known}, 3 and ${unknown}\n` });
  expect(await undefinedCodes(folder.path)).toEqual([
    { file: path.join("scripts", "a.ts"), line: 1, code: `section ${unknown}` },
  ]);
});

test("what only looks like a code is not one", async () => {
  const foreign = ["C", "99"].join("");
  await using folder = await project({
    "src/a.ts": "// UTF-16, SHA-256, GH-7, US-001, P0, 2026-01-06T21:10, XC99, C9-draft, a section 12KiB long\n",
    "test/fixtures/recordings/a.md": foreign,
    "test/golden/a.md": foreign,
  });
  expect(await undefinedCodes(folder.path)).toEqual([]);
});

test("a code that is defined twice is found, in one page or in both", async () => {
  await using folder = await project({
    "docs/threats.md": `${THREATS}| W-37 | something else |\n### T12 Once more\n`,
  });
  expect(await codesDefinedTwice(folder.path)).toEqual([
    { file: "docs/threats.md", line: 5, code: "W-37" },
    { file: "docs/threats.md", line: 6, code: "T12" },
  ]);
});

test("every code of this project can be looked up", async () => {
  expect(await undefinedCodes()).toEqual([]);
  expect(await codesDefinedTwice()).toEqual([]);
});
