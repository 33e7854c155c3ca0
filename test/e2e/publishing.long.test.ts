import { expect, test } from "vitest";
import { byHand, merged } from "../examples/events.ts";
import { type CodexRepository, repositoryWithCodex } from "../examples/repository.ts";
import { shellIn } from "../support/git-repository.ts";
import { isPull } from "../support/github-api/issue-documents.ts";
import { addComment } from "../support/github-api/operations/comments.ts";
import { addLabel } from "../support/github-api/operations/issues.ts";
import { commentEvent, labelEvent } from "../support/github-api/webhooks.ts";
import { addFile, type ModelRequest, patch, type Reply } from "../support/model-server.ts";
import { claims, worksOn } from "./says.ts";

const FILE = "todo-with-hard-stop.yml";
const FOLDER = ".github/workflows";
const TODO = `- [ ] one

HARD STOP: right so far?

- [ ] two

HARD STOP: and this?

- [ ] three
`;
const ITEMS = ["one", "two", "three"] as const;
const FILES = {
  "package.json": JSON.stringify({ scripts: { test: "test -f one.txt" } }),
  "TODO.md": TODO,
  [`${FOLDER}/ci.yml`]: "on: push\n",
};

const tick = (item: string) => patch(`*** Update File: TODO.md\n@@\n-- [ ] ${item}\n+- [x] ${item}`);

/**
 * The agent does the next item in each of its turns. While it is at it, somebody pushes to main.
 *
 * @param meanwhile hears of each turn
 */
function worksThrough(meanwhile: (turn: number) => Promise<void>) {
  let turn = 0;
  return async ({ outputs }: ModelRequest): Promise<Reply> => {
    const name = ITEMS[turn] ?? "";
    if (outputs.length === 0) await meanwhile(turn);
    if (outputs.length === 0) return addFile(`${name}.txt`, `${name}\n`);
    if (outputs.length === 1) return tick(name);
    turn += 1;
    return turn === ITEMS.length ? claims(name) : worksOn(name);
  };
}

/** How the runs ended, and which permissions they lacked. */
function endings(ran: Awaited<ReturnType<CodexRepository["happens"]>>) {
  return ran.map(({ lacks, outputs }) => [outputs["status"], lacks.length]);
}

/** Which files a branch has otherwise than it would be if main were merged into it. */
async function added({ ci: { remote } }: CodexRepository, branch: string): Promise<string> {
  const merged = await remote.git("merge-tree", "--write-tree", "main", branch);
  return remote.git("diff", "--name-only", "main", merged);
}

const workflows = async ({ ci: { remote } }: CodexRepository, ref: string): Promise<string> =>
  remote.git("rev-parse", `${ref}:${FOLDER}`);

test(
  "main's workflow files move in every run: the work lands at each HARD STOP and at the end, labels or not, and somebody is told [C10, C40, C80, C81, C84, C87, W-11]",
  { timeout: 240_000 },
  async () => {
    const says = worksThrough(async (turn) => mainMoves(github, turn));
    await using github = await repositoryWithCodex([FILE], says, { files: FILES });
    const { api, remote, model } = github.ci;
    const { world } = api;
    remote.workflows.rule = "strict";

    // Without the right to make labels.
    const first = await github.happens(byHand(world, FILE), { without: "issues" });
    expect(endings(first)).toEqual([["paused_hard_stop", 2]]);
    const pull = world.issues.find(isPull);
    if (pull === undefined) throw new Error("there is no pull request");
    const headBranch = `refs/heads/${pull.pull.headBranch}`;
    const tip = async (): Promise<string> => remote.git("rev-parse", headBranch);
    expect([pull.labels, world.labels, pull.pull.draft]).toEqual([[], [], true]);
    expect(world.reviews).toMatchObject([{ commit: await tip(), state: "COMMENTED" }]);
    expect(world.reviews[0]?.body).toMatch(
      /@alice: the loop waits for a person\.[^]*right so far\?[^]*\*\*Comment\*\* `\/smithers continue`/u,
    );
    expect(world.reviews[0]?.body).not.toContain("**Label**");
    expect(world.comments[0]?.body).toContain(
      "give the job permissions: issues: write. A comment with the command does",
    );
    expect(world.statuses.at(-1)).toMatchObject({ sha: await tip(), context: "smithers/loop", state: "pending" });
    expect(first[0]?.log).toContain("in one more commit on top of the work");
    expect(await workflows(github, headBranch)).toBe(await workflows(github, "main"));
    expect(await added(github, headBranch)).toBe("TODO.md\none.txt");

    const order = addComment(world, pull.number, "alice", "/smithers continue in capitals");
    const second = await github.happens(commentEvent(world, order));
    expect(endings(second)).toEqual([
      [undefined, 0],
      ["paused_hard_stop", 1],
    ]);
    expect(model?.requests.some(({ prompt }) => prompt.includes("in capitals"))).toBe(true);
    expect(
      world.labels.map(({ name, color, description }) => [name, /^[\da-f]{6}$/u.test(color), description !== ""]),
    ).toEqual(
      ["smithers", "smithers:fix", "smithers:continue", "smithers:cancel", "smithers:paused"].map((name) => [
        name,
        true,
        true,
      ]),
    );
    expect(pull.labels).toEqual(["smithers:paused"]);
    const [, review] = world.reviews;
    expect(review?.body).toMatch(
      /@alice: the loop waits for a person\.[^]*and this\?[^]*\*\*Label\*\* `smithers:continue`/u,
    );
    // What it began with is not in this checkout, for main has moved since.
    expect(review?.body).toMatch(/Since the loop began: \d files changed/u);
    expect(review?.body).not.toContain("Look at these files first");
    const label = addLabel(world, pull, "smithers:continue", "alice");
    if (label === undefined) throw new Error("it had the label");
    const third = await github.happens(await labelEvent(world, label));
    expect(endings(third)).toEqual([
      [undefined, 0],
      ["completed", 0],
    ]);
    expect(pull).toMatchObject({ labels: [], pull: { draft: false, requested: ["alice"] } });
    expect(world.statuses.at(-1)).toMatchObject({ sha: await tip(), context: "smithers/loop", state: "success" });
    expect(pull.body).toContain("Verified: \\`npm test\\` passed.");
    expect(pull.body).not.toMatch(/what was there when the loop began is lost|Look at these files first/u);
    expect(await workflows(github, headBranch)).toBe(await workflows(github, "main"));
    expect(await added(github, headBranch)).toBe("TODO.md\none.txt\nthree.txt\ntwo.txt");
    expect([world.reviews.length, world.comments.length]).toEqual([2, 2]);

    const [cleared] = await github.happens(await merged(world, pull.number));
    expect(cleared).toMatchObject({ conclusion: "success", lacks: [] });
    expect(await remote.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
    expect(api.problems).toEqual([]);
  },
);

/** Somebody changes a workflow file on main. */
async function mainMoves({ ci }: CodexRepository, contents: number): Promise<void> {
  const script = `export GIT_INDEX_FILE=person.index; git read-tree main
    git update-index --add --cacheinfo "100644,$(echo "on: push # $0" | git hash-object -w --stdin),$1"
    commit=$(git -c user.name=P -c user.email=p@example.invalid commit-tree -p main -m person "$(git write-tree)")
    git update-ref refs/heads/main "$commit"`;
  await shellIn(ci.remote.folder, script, String(contents), `${FOLDER}/ci.yml`);
}
