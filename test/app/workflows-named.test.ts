import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { namedIn } from "../../src/app/workflows/findings.ts";
import { tempFolder } from "../support/temp-folder.ts";

test("what the workflows of a repository name is known, each once, without what is computed [C87, C96]", async () => {
  await using repo = await tempFolder();
  const folder = path.join(repo.path, ".github", "workflows");
  await mkdir(folder, { recursive: true });
  const loop = async (file: string, said: string): Promise<void> =>
    writeFile(
      path.join(folder, file),
      `on: push\njobs: { l: { steps: [{ uses: smithers/loop@v1, with: { ${said} } }] } }\n`,
    );
  const people = "reviewers: 'octocat, hubot', notify: '${{ vars.WHO }}', base: release/1";
  for (const file of ["w.yml", "v.yml"]) await loop(file, people);
  expect(await namedIn(repo.path)).toEqual({ people: ["octocat", "hubot"], bases: ["release/1"], ci: null });

  await writeFile(
    path.join(folder, "ci.yml"),
    "on: workflow_dispatch\njobs: { test: { steps: [{ run: npm test }] } }\n",
  );
  await loop("w.yml", "ci-workflow: ci.yml");
  expect((await namedIn(repo.path)).ci).toEqual({ file: "ci.yml", names: new Set(["test"]) });
  await loop("x.yml", "ci-workflow: gone.yml");
  expect((await namedIn(repo.path)).ci).toEqual({ file: "ci.yml, gone.yml", names: null });
});
