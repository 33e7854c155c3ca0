import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { ScriptInput } from "../../../src/agents/scripted/script.ts";
import { type GitRepository, gitRepository } from "../../support/git-repository.ts";
import type { GivenFlags, Said } from "../../support/in-process.ts";
import { aPrdText, aStory, prd } from "./documents.ts";

export const FILE = ".daedalus/prds/shop/prd.json";

/** Writes a file and claims the story. */
export const does = (number: number) => ({
  files: { [`${number}.txt`]: `${number}\n` },
  lastMessage: "Done.\n\n<promise>TASK_COMPLETE</promise>",
});

/** A repository with a PRD of two stories. @param more keys of the document */
export async function shop(more: Readonly<Record<string, unknown>> = {}, stories = [aStory(1), aStory(2)]) {
  const text = `${JSON.stringify({ ...JSON.parse(aPrdText(stories)), ...more }, null, 2)}\n`;
  return gitRepository({ ".gitignore": "script.json\n", [FILE]: text });
}

/** `prd run` with an agent that plays these turns. */
export async function run(
  repo: Pick<GitRepository, "path">,
  turns: ScriptInput["turns"],
  more: GivenFlags = {},
  env: Readonly<Record<string, string>> = {},
): Promise<Said> {
  const script = path.join(repo.path, "script.json");
  await writeFile(script, JSON.stringify({ turns }));
  const flags = {
    provider: "scripted",
    script,
    "quality-commands": "true",
    "weak-proof": "flag",
    "check-sandbox": "off",
    "agent-isolation": "off",
  };
  return prd("run", repo.path, { ...flags, trust: "on", json: "on", ...more }, { env });
}

/** The commits since the first, oldest first. */
export const subjects = async (repo: GitRepository, of = "HEAD") =>
  (await repo.git("log", "--reverse", "--format=%s", of)).split("\n").slice(1);
