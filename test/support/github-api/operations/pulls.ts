import { z } from "zod";
import { repositoryPath } from "../documents.ts";
import { headOf, isPull, type Pull, pullDocument, simplePull } from "../issue-documents.ts";
import { type Answer, bodyOf, type Exchange, type Handlers, invalid, NOT_FOUND, page, refused } from "../operation.ts";
import type { World } from "../world.ts";

const NewPull = z.object({
  title: z.string().default(""),
  head: z.string(),
  base: z.string(),
  body: z.string().default(""),
  draft: z.boolean().default(false),
});

const Change = z.object({
  title: z.string().optional(),
  body: z.string().optional(),
  state: z.enum(["open", "closed"]).optional(),
  base: z.string().optional(),
});

const MOST = 65_536;
const MOST_OF_A_TITLE = 256;

/** Pull requests. Heads follow their branches. */
export const PULLS: Handlers = {
  "pulls/get": {
    needs: { "pull-requests": "read" },
    handle: async (exchange) => {
      const pull = pullIn(exchange);
      return pull === undefined ? NOT_FOUND : { status: 200, body: await pullDocument(exchange.world, pull) };
    },
  },
  "pulls/list": { needs: { "pull-requests": "read" }, handle: listPulls },
  "pulls/create": { needs: { "pull-requests": "write" }, handle: createPull },
  "pulls/update": { needs: { "pull-requests": "write" }, handle: updatePull },
  "pulls/list-files": { needs: { "pull-requests": "read" }, handle: listFiles },
};

/** The pull request that a path names. */
export function pullIn({ world, params }: Pick<Exchange, "world" | "params">): Pull | undefined {
  return world.issues.filter(isPull).find(({ number }) => String(number) === params["pull_number"]);
}

async function listPulls(exchange: Exchange): Promise<Answer> {
  const { world, query } = exchange;
  const [state, base, head] = [query.get("state") ?? "open", query.get("base"), query.get("head") ?? ""];
  const rows = world.issues
    .filter(isPull)
    .filter((row) => state === "all" || row.state === state)
    .filter(({ pull }) => base === null || pull.base === base)
    // GitHub takes no notice of a head without its owner.
    .filter((row) => !head.includes(":") || headName(world, row) === head)
    .toSorted((a, b) => (query.get("direction") === "asc" ? a.number - b.number : b.number - a.number));
  const { rows: shown, headers } = page(exchange, `${repositoryPath(world)}/pulls`, rows);
  return { status: 200, body: await Promise.all(shown.map(async (row) => simplePull(world, row))), headers };
}

/** As in `octo:feature`. */
function headName({ repository }: World, { pull }: Pull): string {
  return `${pull.headRepositoryId === repository.id ? repository.owner : "forker"}:${pull.headBranch}`;
}

async function createPull(exchange: Exchange): Promise<Answer> {
  const { world, login } = exchange;
  const { title, head, base, body, draft } = bodyOf(exchange, NewPull);
  const branch = head.startsWith(`${world.repository.owner}:`) ? head.slice(head.indexOf(":") + 1) : head;
  const tip = await world.refs.get(`refs/heads/${branch}`);
  if (tip === undefined) return invalid("PullRequest", "head", "invalid");
  const onto = await world.refs.get(`refs/heads/${base}`);
  if (onto === undefined) return invalid("PullRequest", "base", "invalid");
  if (title === "") return invalid("PullRequest", "title", "missing_field");
  if (login === "github-actions[bot]" && !world.settings.actionsMayCreatePulls)
    return refused(403, "GitHub Actions is not permitted to create or approve pull requests.");
  if (openFrom(world, branch, base) !== undefined)
    return custom(`A pull request already exists for ${world.repository.owner}:${branch}.`);
  if ((await world.refs.ahead(onto, tip)) === 0) return custom(`No commits between ${base} and ${branch}`);
  const wrong = wrongText({ title, body });
  if (wrong !== undefined) return wrong;
  const origin = { headBranch: branch, headSha: tip, headRepositoryId: world.repository.id };
  const row: Pull = {
    ...{ number: world.nextId(), author: login, createdAt: world.now(), title, body, state: "open", labels: [] },
    pull: { ...origin, base, draft, merged: false, requested: [] },
  };
  world.issues.push(row);
  return { status: 201, body: await pullDocument(world, row) };
}

function openFrom(world: World, branch: string, base: string): Pull | undefined {
  return world.issues.filter(isPull).find(({ state, pull }) => {
    const ours = pull.headRepositoryId === world.repository.id;
    return state === "open" && ours && pull.headBranch === branch && pull.base === base;
  });
}

function custom(message: string): Answer {
  return refused(422, "Validation Failed", [{ resource: "PullRequest", code: "custom", message }]);
}

function wrongText({ title = "", body = "" }: z.output<typeof Change>): Answer | undefined {
  if (title.length > MOST_OF_A_TITLE) return custom(`title is too long (maximum is ${MOST_OF_A_TITLE} characters)`);
  return body.length > MOST ? custom(`Body is too long (maximum is ${MOST} characters)`) : undefined;
}

async function updatePull(exchange: Exchange): Promise<Answer> {
  const { world } = exchange;
  const row = pullIn(exchange);
  if (row === undefined) return NOT_FOUND;
  const { base, ...change } = bodyOf(exchange, Change);
  const wrong = wrongText(change);
  if (wrong !== undefined) return wrong;
  if (base !== undefined && (await world.refs.get(`refs/heads/${base}`)) === undefined)
    return custom(`Proposed base branch '${base}' was not found`);
  const reopened = change.state === "open" && row.state === "closed";
  if (reopened && openFrom(world, row.pull.headBranch, base ?? row.pull.base) !== undefined)
    return custom(`A pull request already exists for ${headName(world, row)}.`);
  Object.assign(row, Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)));
  if (base !== undefined) row.pull.base = base;
  return { status: 200, body: await pullDocument(world, row) };
}

/** Only of a real repository: nobody else knows what is different. */
async function listFiles(exchange: Exchange): Promise<Answer> {
  const { world } = exchange;
  const row = pullIn(exchange);
  if (row === undefined) return NOT_FOUND;
  if (world.git === null) throw new Error("the files of a pull request need a real repository");
  const range = `refs/heads/${row.pull.base}...${await headOf(world, row)}`;
  const [names, counts] = [
    await world.git.git("diff", "--name-status", "--no-renames", range),
    await world.git.git("diff", "--numstat", "--no-renames", range),
  ];
  const numbers = new Map(counts.split("\n").map((line) => [line.split("\t")[2] ?? "", line.split("\t").map(Number)]));
  const files = names.split("\n").flatMap((line) => {
    const [letter = "", filename = ""] = line.split("\t");
    return letter === ""
      ? []
      : [{ filename, status: STATUS[letter] ?? "changed", counts: numbers.get(filename) ?? [] }];
  });
  const { rows: shown, headers } = page(exchange, `${repositoryPath(world)}/pulls/${row.number}/files`, files);
  const at = `${world.url}${repositoryPath(world)}`;
  const body = shown.map(({ filename, status, counts: [additions = 0, deletions = 0] }) => ({
    ...{ sha: null, filename, status, additions, deletions, changes: additions + deletions },
    ...{ blob_url: at, raw_url: at, contents_url: at },
  }));
  return { status: 200, body, headers };
}

const STATUS: Readonly<Record<string, string>> = { A: "added", M: "modified", D: "removed" };
