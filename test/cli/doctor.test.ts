import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ALL_LABELS } from "../../src/views/github/labels.ts";
import { startGithubApi, type Token } from "../support/github-api/server.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { type Answer, cli, jsonOf, stage } from "./run-cli.ts";

const Row = z.object({
  subject: z.string(),
  state: z.enum(["there", "missing", "unknown"]),
  why: z.string(),
  next: z.string(),
});
const Answered = z.object({ schema: z.literal(1), ok: z.boolean(), findings: z.array(Row) });
const SCRIPTED = { turns: [{ lastMessage: "done" }] };

/** The rows of the answer, by how they are. */
function rows(answer: Answer): Record<z.infer<typeof Row>["state"], z.infer<typeof Row>[]> {
  const { findings } = Answered.parse(jsonOf(answer));
  const inState = (wanted: string) => findings.filter(({ state }) => state === wanted);
  return { there: inState("there"), missing: inState("missing"), unknown: inState("unknown") };
}

describe.concurrent("smithers doctor", () => {
  test("where everything is there it says how to begin, and has written nothing", async () => {
    await using repo = await stage({ ".smithers.toml": 'model = "gpt"\n' });
    const script = await repo.play(SCRIPTED);
    const before = await repo.git("status", "--porcelain", "--ignored");
    const answer = await cli(["doctor", ...script], repo.path);
    expect(answer).toMatchObject({ code: 0, stderr: "" });
    expect(answer.stdout).toMatch(/^ok {7}\.smithers\.toml\nok {7}git version .+\nok {7}the repository in .+\n/u);
    expect(answer.stdout).toContain("ok       a clean work tree\nok       provider scripted\nunknown  GitHub: ");
    expect(answer.stdout).toContain(
      '\n\nNothing is missing. Try it: smithers "<what the agent has to do>" --dry-run\n',
    );
    expect(await repo.git("status", "--porcelain", "--ignored")).toBe(before);
  });

  test("every gap at once: the config file, the agent, the work tree", async () => {
    await using repo = await stage({ ".smithers.toml": "max-iterations = 0\nmodle = 1\n" });
    await repo.write("mine.txt", "not committed\n");
    const flags = ["--commit", "end", "--full-auto"];
    await using machine = await tempFolder();
    const answer = await cli(["doctor", "--json", ...flags], repo.path, { PATH: await pathWithout(machine.path) });
    expect(answer.code).toBe(1);
    expect(jsonOf(answer)["ok"]).toBe(false);
    const { missing } = rows(answer);
    expect(missing.map(({ subject }) => subject)).toEqual([
      ".smithers.toml",
      ".smithers.toml",
      "a clean work tree",
      "provider codex",
    ]);
    expect(missing.every(({ next }) => next !== "")).toBe(true);
    expect(missing[2]?.why).toBe("changes in 1 file are not committed");
    expect(missing[3]?.next).toContain("npm install -g @openai/codex");
  });

  test("changes that the loop would not commit are not a gap", async () => {
    await using repo = await stage();
    const script = await repo.play(SCRIPTED);
    await repo.write("mine.txt", "not committed\n");
    const answer = await cli(["doctor", ...script], repo.path);
    expect(answer.code).toBe(0);
    expect(answer.stdout).toContain("the work tree: changes in 1 file are not committed");
  });

  test("a folder without a repository, which may be meant", async () => {
    const flags = ["doctor", "--provider", "command", "--provider-command", '["true"]'];
    const answer = await cli(flags, "/");
    expect(answer.code).toBe(1);
    expect(answer.stdout).toContain("Run git init there");
    const meant = await cli([...flags, "--skip-git-repo-check"], "/");
    expect(meant.code).toBe(0);
    expect(meant.stdout).toContain("unknown  a git repository in");
    for (const subject of ["checks", "the agent's turns"])
      expect(meant.stdout).toContain(
        `unknown  the isolation of ${subject}: the workspace is the whole file system. Work in a folder of its own`,
      );
  });

  test("without git nothing can be seen, and what is wrong with the agent's settings is told as well", async () => {
    await using repo = await stage();
    const flags = ["doctor", "--provider", "scripted", "--script", "gone.json"];
    const answer = await cli(flags, repo.path, { PATH: path.dirname(process.execPath) });
    expect(answer.code).toBe(1);
    expect(answer.stdout).toMatch(/^GAP {6}git: .+ Install git/mu);
    expect(answer.stdout).toMatch(/^GAP {6}the agent: The script .+ cannot be read/mu);
    expect(answer.stdout).toContain("\n2 gaps to close. Then look again with smithers doctor.\n");
  });

  test("its help says what is looked at", async () => {
    await using repo = await stage();
    const { code, stdout } = await cli(["doctor", "--help"], repo.path);
    expect(code).toBe(0);
    expect(stdout).toContain("Every GAP says what closes it");
    expect(stdout).toContain("Exit codes: 0 nothing is missing, 1 something is, 64 bad usage.");
  });

  test("a mistake on the command line is one, not a gap", async () => {
    await using repo = await stage();
    const answer = await cli(["doctor", "--max-iterations", "none"], repo.path);
    expect(answer.code).toBe(64);
  });
});

describe.concurrent("smithers doctor: Codex", () => {
  test.for([
    [
      "nobody has logged in",
      { HTTPS_PROXY: "http://127.0.0.1:9" },
      { missing: ["a login or a key"], unknown: ["the model's service"] },
    ],
    ["there is a key", { CODEX_API_KEY: "sk-secret", https_proxy: "x" }, { unknown: ["the model's service"] }],
    [
      "a provider of the person's own",
      {
        config: 'model_provider = "mine"\n[model_providers.mine]\nname = "mine"\nbase_url = "http://127.0.0.1:9/v1"\n',
      },
      { missing: ["the model's service"], unknown: ["a login or a key"] },
    ],
  ] as const)("%s", async ([, given, expected]) => {
    await using repo = await stage();
    await using home = await tempFolder("home-");
    const { config = "", ...env }: { config?: string } & Record<string, string> = given;
    await mkdir(path.join(home.path, ".codex"));
    await writeFile(path.join(home.path, ".codex/config.toml"), config);
    const flags = ["doctor", "--json", "--sandbox", "danger-full-access"];
    const answer = await cli(flags, repo.path, { HOME: home.path, ...env });
    const { there, missing, unknown } = rows(answer);
    expect(there.map(({ subject }) => subject)).toContainEqual(expect.stringMatching(/^Codex \(codex-cli [\d.]+, \//u));
    expect(there.map(({ subject }) => subject)).toContain("no sandbox (danger-full-access)");
    expect({ missing: missing.map(({ subject }) => subject), unknown: unknown.map(({ subject }) => subject) }).toEqual({
      missing: [],
      ...expected,
      unknown: [...("unknown" in expected ? expected.unknown : []), "GitHub", "a reviewer"],
    });
    expect(answer.code).toBe("missing" in expected ? 1 : 0);
    expect(answer.stdout + answer.stderr).not.toContain("sk-secret");
  });
});

describe.concurrent("smithers doctor: GitHub", () => {
  const ALL: Token["permissions"] = {
    ...{ contents: "write", "pull-requests": "write", administration: "read", issues: "write" },
  };

  /** What is said of GitHub to somebody whose token may do this. */
  async function look(
    permissions: Token["permissions"],
    {
      name = "ghp_t",
      origin = "git@github.com:octo/demo.git",
      labels = ALL_LABELS,
      flags = [] as string[],
      files = {},
      required = [] as string[],
    } = {},
  ) {
    await using api = await startGithubApi({ tokens: { [name]: { login: "alice", permissions } } });
    api.world.labels.push(...labels);
    api.world.requiredChecks.push(...required.map((branch) => ({ branch, context: `test of ${branch}`, app: null })));
    await using repo = await stage(files);
    await repo.git("remote", "add", "origin", origin);
    const script = await repo.play(SCRIPTED);
    const env = { GH_TOKEN: name, GITHUB_API_URL: api.url };
    const answer = await cli(["doctor", ...flags, ...script], repo.path, env);
    expect(api.problems).toEqual([]);
    const asked = [...new Set(api.requests.map(({ operation }) => operation))].toSorted();
    return { ...answer, asked, labels: api.world.labels };
  }

  test("what may be done, by requests that change nothing", async () => {
    const answer = await look({ ...ALL });
    expect(answer.asked).toEqual([
      "actions/get-github-actions-default-workflow-permissions-repository",
      "issues/get-label",
      "pulls/list",
      "repos/get",
      "repos/get-branch-rules",
    ]);
    expect(answer.stdout).toMatch(/^ok {7}push to octo\/demo \(as far as it shows without writing\)$/mu);
    expect(answer.stdout).toMatch(/^ok {7}open the pull request/mu);
    expect(answer.stdout).toMatch(/^ok {7}the labels of a loop$/mu);
    expect(answer.stdout).toMatch(/^ok {7}this machine's clock$/mu);
  });

  test("the checks that a base requires are told, of the default branch and of each that a workflow names [C96]", async () => {
    const step = (base: string) => `{ uses: smithers/loop@v1, with: { prompt: x, base: ${base} } }`;
    const workflow = `on: push\njobs: { a: { steps: [${step("main")}, ${step("release/1")}] } }\n`;
    const files = { ".github/workflows/loop.yml": workflow };
    const { stdout } = await look({ ...ALL }, { files, required: ["main", "release/1", "other"] });
    const told = stdout.split("\n").filter((line) => line.includes("the checks that the base branch requires"));
    expect(told.map((line) => /: (?<what>.+?);/u.exec(line)?.groups?.["what"])).toEqual([
      "main requires test of main",
      "release/1 requires test of release/1",
    ]);
  });

  test("labels that are missing are made by --fix, once, and nothing else is [C86, C89]", async () => {
    const lacking = await look({ ...ALL }, { labels: ALL_LABELS.slice(0, 3) });
    expect(lacking.code).toBe(1);
    expect(lacking.stdout).toMatch(/^GAP {6}the labels of a loop: smithers:cancel, smithers:paused are .+ --fix, or/mu);
    expect(lacking.labels).toHaveLength(3);
    const fixed = await look({ ...ALL }, { labels: ALL_LABELS.slice(0, 3), flags: ["--fix"] });
    expect([fixed.code, fixed.labels]).toEqual([0, ALL_LABELS]);
    expect((await look({ ...ALL }, { flags: ["--fix"] })).asked).not.toContain("issues/create-label");
    const { issues: _, ...rest } = ALL;
    const refused = await look(rest, { labels: [], flags: ["--fix"] });
    expect([refused.code, refused.labels]).toEqual([1, []]);
    expect(refused.stdout).toMatch(/^GAP {6}the labels of a loop: they could not be made: .+ issues: write/mu);
    const nowhere = await look({ ...ALL }, { origin: "/srv/git/demo", flags: ["--fix"] });
    expect([nowhere.code, nowhere.asked]).toEqual([64, []]);
    expect(nowhere.stderr).toContain("smithers doctor --fix --repo owner/name");
  });

  test("a token that may only look, and one that may not even do that", async () => {
    const reader = await look({ contents: "read" });
    expect(reader.code).toBe(1);
    expect(reader.stdout).toMatch(/^GAP {6}push to octo\/demo: .+ Ask for write access/mu);
    expect(reader.stdout).toMatch(/^GAP {6}open the pull request .+ Use a token that has this right/mu);
    expect(reader.stdout).toMatch(
      /^unknown {2}GitHub Actions may create pull requests: only administrators are told$/mu,
    );
  });

  test.for(["https://github.com/octo/demo", "ssh://git@github.com/octo/demo.git", "https://x:y@github.com/octo/demo/"])(
    "origin may be written %s",
    async (origin) => {
      expect((await look({ ...ALL }, { origin })).stdout).toContain("push to octo/demo");
    },
  );

  test.for(["https://github.com.evil.example/octo/demo", "https://example.com/octo/demo.git", "/srv/git/demo"])(
    "a token is not sent anywhere because of an origin elsewhere: %s",
    async (origin) => {
      const answer = await look({ ...ALL }, { origin });
      expect(answer.asked).toEqual([]);
      expect(answer.stdout).toContain("unknown  GitHub: origin is no repository there");
    },
  );
});

/** A PATH on which there is everything but Codex. */
async function pathWithout(folder: string): Promise<string> {
  const programs = path.join(folder, "programs");
  await mkdir(programs);
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  await symlink(git, path.join(programs, "git"));
  return programs;
}
