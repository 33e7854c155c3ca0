import { generateKeyPairSync } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { startCi } from "../support/ci/ci.ts";
import { timeIsUpOnce } from "../support/ci/late-clock.ts";
import { anApp } from "../support/github-api/server.ts";
import { addFile, command, type ModelRequest, type Reply } from "../support/model-server.ts";
import { claims, worksOn } from "./says.ts";

const KEY = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const PEM = KEY.export({ type: "pkcs1", format: "pem" }).toString();
const HOUR_AND_A_HALF = 90;
const INPUTS = {
  prompt: "Write done.txt.",
  "success-sh": "test -f done.txt",
  sandbox: "workspace-write",
  "api-key": "sk-secret-key",
  carriers: "ref",
  "app-id": "4711",
  "app-private-key": PEM,
  "job-timeout-minutes": "300",
};
/** All that a program can easily see of who it works for. */
const LOOKS = command("env; git config --list; cat ~/.git-credentials ~/.netrc 2>&1; true");

function says({ prompts, outputs }: ModelRequest): Reply {
  if (outputs.length === 0) return LOOKS;
  if (prompts.length > 1) return [addFile("done.txt", "done\n")][outputs.length - 1] ?? claims("done.txt is there");
  return [addFile("late.txt", "an hour and a half\n")][outputs.length - 1] ?? worksOn("it took long");
}

test(
  "a loop that outlives its App's token goes on with the next, for API and git, and the agent sees neither [C90]",
  { timeout: 120_000 },
  async () => {
    await using ci = await startCi({ files: { "README.md": "hello\n" }, script: says, permissions: {} });
    const { api, remote, model } = ci;
    const { world } = api;
    world.apps.push(anApp({ installation: { repositories: ["r"] } }, KEY));
    await using machine = await ci.machine({ depth: 1 });
    const late = path.join(machine.workspace, "late.txt");
    // GitHub's clock and the job's move together.
    world.now = () => new Date(Date.now() + (existsSync(late) ? HOUR_AND_A_HALF * 60_000 : 0));
    const env = { ...timeIsUpOnce(ci, machine, "late.txt"), LATE_CLOCK_MINUTES: String(HOUR_AND_A_HALF) };
    const job = await machine.run({ env, inputs: INPUTS });

    expect(job.outputs).toMatchObject({ status: "completed", iterations: "2" });
    const pull = world.issues.find(({ number }) => String(number) === job.outputs["pr-number"]);
    expect(pull).toMatchObject({ author: "the-app[bot]", pull: { draft: false } });
    const branch = `refs/heads/${job.outputs["branch"]}`;
    expect(await remote.git("ls-tree", "--name-only", branch)).toBe("README.md\ndone.txt\nlate.txt");
    expect(world.statuses).toMatchObject([{ context: "smithers/loop", state: "success", author: "the-app[bot]" }]);

    // Two tokens, one after the other, each for the API and for git.
    const minted = api.requests.filter(({ operation }) => operation === "apps/create-installation-access-token");
    expect(minted).toHaveLength(2);
    const tokensOf = (seen: readonly (string | undefined)[]) =>
      [...new Set(seen.map(tokenIn))].filter((one) => one !== "");
    const byApi = tokensOf(api.requests.map(({ headers }) => String(headers["authorization"] ?? "")));
    expect(byApi).toHaveLength(2);
    expect(tokensOf(remote.requests.map(({ authorization }) => authorization))).toEqual(byApi);

    const seen = JSON.stringify(model?.requests.map(({ body }) => body));
    expect(seen).toContain("PATH=");
    for (const secret of [...byApi, PEM.split("\n")[1] ?? "", "sk-secret-key"]) expect(seen).not.toContain(secret);
    // The line that has the runner hide a token is taken by the runner, and shown to nobody.
    expect(job.log.replaceAll(/^::add-mask::.*$/gmu, "")).not.toMatch(/ghs_\w/u);
    expect(api.problems).toEqual([]);
  },
);

/** The installation's token in a header, as the API or git sends it; "": another one, or none. */
function tokenIn(authorization = ""): string {
  const [, basic = ""] = /^basic (.+)$/iu.exec(authorization) ?? [];
  return /ghs_\w+/u.exec(`${authorization} ${Buffer.from(basic, "base64").toString()}`)?.[0] ?? "";
}
