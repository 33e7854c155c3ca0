import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, rm, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { putCredentialsBack, withoutCredentials } from "../../src/job/credentials.ts";
import { aJob, begin, HEADER, KEY, leaks, read } from "./credentials-stage.ts";

/** Main takes out what there is, and is killed. */
async function killedMain({ env, taking: { root, mark, context } }: Awaited<ReturnType<typeof aJob>>): Promise<void> {
  const source = (name: string): string => JSON.stringify(path.resolve("src", name));
  const program = `
    import { resolveSettings } from ${source("config/resolve.ts")};
    import { readContext } from ${source("github/context.ts")};
    import { withoutCredentials } from ${source("job/credentials.ts")};
    import { HandOver } from ${source("store/hand-over.ts")};
    import { jobPlaceOf } from ${source("store/place.ts")};
    const { env, root, mark, context } = JSON.parse(process.argv[1]);
    const { config } = resolveSettings({ flags: {}, env, inputs: env });
    const place = jobPlaceOf(context.temp, root, "a-loop", null);
    const handOver = await HandOver.begin(env, readContext(env), place, config);
    await withoutCredentials({ context, root, mark, handOver, notice() {} }, () => {
      console.log("out");
      return new Promise((resolve) => setInterval(resolve, 1e6));
    });`;
  const given = JSON.stringify({ env, root, mark, context });
  const main = spawn(process.execPath, ["--input-type=module", "-e", program, given]);
  await once(main.stdout, "data");
  main.kill("SIGKILL");
  await once(main, "close");
}

test("post puts back what a killed main has taken out, and no file holds it in clear meanwhile [T13]", async () => {
  await using job = await aJob();
  await job.repository.git("config", KEY, HEADER);
  await killedMain(job);
  expect(await leaks(job.repository.path, job.temp)).toEqual([]);
  const post = await read(job.env);
  await putCredentialsBack(post, job.notice);
  expect(await job.repository.git("config", KEY)).toBe(HEADER);
  for (const again of [post, await read(job.env)]) await putCredentialsBack(again, job.notice);
  expect(await job.repository.git("config", "--get-all", KEY)).toBe(HEADER);
  expect(job.said).toEqual([]);
});

test.for<[what: string, forge: (file: string) => Promise<void>]>([
  ["is changed", async (file) => writeFile(file, JSON.stringify({ keys: [], files: [], secrets: [] }))],
  ["is removed", async (file) => rm(file)],
  ["grows without end", async (file) => truncate(file, 1e9)],
])("nothing is written by post where what main wrote down %s [T13, T15]", async ([, forge]) => {
  await using job = await aJob();
  await job.repository.git("config", KEY, HEADER);
  await killedMain(job);
  const [step = ""] = await readdir(path.join(job.temp, "smithers/hand-over"));
  await forge(path.join(job.temp, "smithers/hand-over", step, "displaced.sealed"));
  const post = await read(job.env);
  expect(post.displaced).toBeUndefined();
  await putCredentialsBack(post, job.notice);
  expect(await leaks(job.repository.path)).toEqual([]);
});

test("a step without any secret writes nothing down, puts it back itself, and says what a kill means [T13]", async () => {
  await using job = await aJob();
  await job.repository.git("config", KEY, HEADER);
  const env = { ...job.env, "INPUT_STATE-KEY": "" };
  await rm(path.join(job.temp, "smithers"), { recursive: true });
  const taking = { ...job.taking, handOver: await begin(env) };
  await withoutCredentials(taking, async () => {
    expect(await leaks(job.repository.path, job.temp)).toEqual([]);
    expect(await readdir(job.temp)).toEqual([]);
  });
  expect(await job.repository.git("config", KEY)).toBe(HEADER);
  expect(job.said).toEqual([expect.stringContaining("run actions/checkout again")]);
});
