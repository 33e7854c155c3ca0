import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { FILES, REPAIRS } from "../../examples/demo/task.mjs";
import { parseScriptText } from "../../src/agents/scripted/script.ts";

const SCRIPT = path.join(import.meta.dirname, "../../examples/demo/script.json");

test("the scripted demonstration makes the same two repairs as the one with Codex", () => {
  const { turns } = parseScriptText(readFileSync(SCRIPT, "utf8"));
  const written = turns.map(({ files = [] }) => files);

  let cart = FILES["cart.js"] ?? "";
  const repaired = REPAIRS.map(({ before, after }) => {
    expect(cart).toContain(before);
    cart = cart.replace(before, after);
    return [{ path: "cart.js", content: cart }];
  });
  expect(written).toEqual(repaired);
});
