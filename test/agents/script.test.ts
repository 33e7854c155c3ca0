import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../src/core/errors.ts";
import { parseScriptText } from "../../src/agents/scripted/script.ts";

/** The problems of a script that is refused. */
function wrong(json: string): readonly string[] {
  try {
    parseScriptText(json);
  } catch (error) {
    if (error instanceof UsageError) return error.problems.map((problem) => problem.what.replace(/^.*? wrong\. /u, ""));
    throw error;
  }
  throw new Error("the script is accepted");
}

describe("a script that is wrong says where", () => {
  test.each([
    ["{", [expect.stringMatching(/^it: is not JSON: /u)]],
    ["[]", [expect.stringMatching(/^The whole: /u)]],
    ["{}", [expect.stringMatching(/^turns: /u)]],
    ['{"turns":[]}', [expect.stringMatching(/^turns: /u)]],
    ['{"turns":[{},{"lastMesage":""}]}', [expect.stringMatching(/^turns\[1\]: .*lastMesage/u)]],
    [
      '{"turns":[{"files":{"/etc/x":""}}]}',
      [expect.stringMatching(/^turns\[0\]\.files\["\/etc\/x"\]: must be relative/u)],
    ],
    [
      '{"turns":[{"files":[{"path":"a/../../b","content":""}]}]}',
      [expect.stringMatching(/^turns\[0\]\.files\["a.*must not leave/u)],
    ],
    ['{"turns":[{"files":{"a":1}}]}', [expect.stringMatching(/^turns\[0\]\.files: must be an object/u)]],
    ['{"turns":[{"delete":["ok","."]}]}', [expect.stringMatching(/^turns\[0\]\.delete\[1\]: /u)]],
    ['{"turns":[{"commands":[1]}]}', [expect.stringMatching(/^turns\[0\]\.commands\[0\]: must be a shell text/u)]],
    [
      '{"turns":[{"failure":{"kind":"tired"}}]}',
      [expect.stringMatching(/^turns\[0\]\.failure\.kind: must be one of not_installed, /u)],
    ],
    [
      '{"turns":[{"attempts":[{"delayMs":-1,"exitCode":256}]}]}',
      [
        expect.stringMatching(/^turns\[0\]\.attempts\[0\]\.delayMs: /u),
        expect.stringMatching(/^turns\[0\]\.attempts\[0\]\.exitCode: /u),
      ],
    ],
  ])("%s", (json, problems) => {
    expect(wrong(json)).toEqual(problems);
  });

  test("the examples of the guide are right", async () => {
    const guide = await readFile(path.join(import.meta.dirname, "../../docs/scripted-agent.md"), "utf8");
    const examples = [...guide.matchAll(/```json\n(.*?)```/gsu)].map(([, json = ""]) => json);
    expect(examples.length).toBeGreaterThan(1);
    for (const json of examples) expect(parseScriptText(json).turns).not.toHaveLength(0);
  });
});
