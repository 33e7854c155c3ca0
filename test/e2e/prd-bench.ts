import { z } from "zod";
import { addFile, message, type ModelRequest, type Reply } from "../support/model-server.ts";
import { shellIn } from "../support/git-repository.ts";
import { type Workbench, workbench } from "./workbench.ts";

const PRD_JSON = ".daedalus/prds/shop/prd.json";

/** US-003 is the most urgent, and waits for US-005. */
export const ORDER = ["US-001", "US-002", "US-004", "US-005", "US-003"] as const;

export const TITLES: Readonly<Record<string, string>> = {
  "US-001": 'Say "hello"',
  "US-002": "Cost $(touch pwned)",
  "US-003": "Put it in the cart",
  "US-004": "Pay",
  "US-005": "Ship",
};

function fileOf(id: string): string {
  return `${id.toLowerCase()}.txt`;
}

function shop(stories: number): string {
  const userStories = Object.entries(TITLES)
    .slice(0, stories)
    .map(([id, title], index) => ({
      id,
      title,
      description: `Write ${fileOf(id)}.`,
      acceptanceCriteria: [`${fileOf(id)} holds the id of the story.`, "Nothing else is written."],
      checks: [{ criterion: 1, run: `grep -q ${id} ${fileOf(id)}` }],
      priority: id === "US-003" ? 1 : index + 2,
      passes: false,
      dependsOn: id === "US-003" ? ["US-005"] : [],
      team: "kept",
    }));
  return `${JSON.stringify({ project: "Shop", description: "It sells.", userStories, owner: "kept" }, null, 2)}\n`;
}

/** Works on the story that the prompt asks for: writes its file, says what it has learned, and claims it. */
function works({ prompt, outputs }: ModelRequest): Reply {
  const id = /<story>\n(?<id>US-\d+)/u.exec(prompt)?.groups?.["id"] ?? "none";
  if (outputs.length === 0) return addFile(fileOf(id), `${id}\n`);
  return message(`Done.\n\nNOTES:\nlearned: ${id} was easy\n\n<promise>TASK_COMPLETE</promise>`);
}

/** Red as soon as a file of a story is empty. */
const GATE = "for f in us-*.txt; do test -s $f || test ! -e $f || exit 1; done\n";

export const ARGS = [
  ...["run", "--prd", "shop", "--full-auto", "--trust"],
  ...["--quality-commands", "sh gate.sh", "--weak-proof", "flag"],
];

/** A shop of the first stories, and a model that delivers them. @param ready what it waits for before each answer */
export async function prdBench(stories: number, ready: () => Promise<void> = async () => {}): Promise<Workbench> {
  const model = async (request: ModelRequest): Promise<Reply> => {
    await ready();
    return works(request);
  };
  return workbench(model, { files: { [PRD_JSON]: shop(stories), "gate.sh": GATE } });
}

const prdShape = z.looseObject({ userStories: z.array(z.looseObject({ id: z.string(), passes: z.boolean() })) });

/** What the repository holds in the end. */
export interface Delivered {
  /** of the commits since the first, oldest first */
  readonly subjects: readonly string[];
  readonly trailers: readonly string[];
  /** of each commit alone: whether its checks are green, and how many stories and files it holds */
  readonly alone: readonly string[];
  readonly status: string;
  readonly prd: z.infer<typeof prdShape>;
}

/** Checks out each commit of a branch by itself and runs what judges it. */
export async function delivered(bench: Workbench, branch = "main"): Promise<Delivered> {
  const { repository } = bench;
  const lines = async (format: string): Promise<readonly string[]> =>
    (await repository.git("log", "--reverse", `--format=${format}`, branch)).split("\n").slice(1);
  const script = `
    alone="$PWD.alone"; git clone -qb ${branch} . "$alone"; cd "$alone"
    for commit in $(git rev-list --reverse HEAD | tail -n +2); do
      git checkout -q $commit
      sh gate.sh && for f in us-*.txt; do grep -qi "\${f%.txt}" $f || echo red; done
      echo "$(ls us-*.txt | wc -l) files, $(grep -c '"passes": true' ${PRD_JSON}) passed"
    done; cd ..; rm -rf "$alone"`;
  return {
    subjects: await lines("%s"),
    trailers: await lines("%(trailers:key=Smithers-Prd,separator=)%(trailers:key=Smithers-Story,separator=)"),
    alone: (await shellIn(repository.path, script)).split("\n"),
    status: await repository.git("status", "--porcelain"),
    prd: prdShape.parse(JSON.parse(await repository.git("show", `${branch}:${PRD_JSON}`))),
  };
}
