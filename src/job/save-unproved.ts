import { copyFile, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { uploadForPeople } from "../carry/artifact.ts";
import { INPUT_PREFIX } from "../config/action.ts";
import { messageOf } from "../core/errors.ts";
import { WORK_FILE } from "../core/names.ts";
import { createWorkBundle } from "../git/work-tree/work-bundle.ts";
import { findRepository } from "../git/repository.ts";
import { createGitWorkspace } from "../git/workspace.ts";
import { type GithubContext, readContext } from "../github/context.ts";
import { isPrivate } from "../github/probes.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { sealFile } from "../os/seal.ts";
import { inTempFolder } from "../os/temp-folder.ts";
import { GIT_FOLDER } from "../store/loop-files.ts";
import { UNPROVED_FOLDER } from "../store/place.ts";
import { inputOf } from "./clean-up.ts";
import type { Host } from "./run-stage.ts";

const REF = "refs/smithers/unproved";
const ASK_MS = 5_000;
const GATHER_MS = 20_000;
const UPLOAD_MS = 20_000;

/**
 * Uploads what is in the workspace for people, when nothing says whose work it is: bytes, by which no run goes on. What
 * must not leave the machine (C13) stays. Nothing of the workspace is obeyed.
 *
 * @param host with an environment that was cleaned
 */
export async function saveUnproved(host: Host, secrets: readonly string[], log: RunnerLog): Promise<void> {
  try {
    await save(host, secrets, log);
  } catch (error) {
    log.warning(notSaved(messageOf(error)));
  }
}

async function save({ env, script }: Host, secrets: readonly string[], log: RunnerLog): Promise<void> {
  const [stateKey, token, cd] = [inputOf(env, "STATE-KEY"), inputOf(env, "GITHUB-TOKEN"), inputOf(env, "CD")];
  for (const name of Object.keys(env)) if (name.startsWith(INPUT_PREFIX)) delete env[name];
  const context = readContext(env);
  // The event cannot be believed here; it only tells a repository of a whole enterprise, which strangers do not see.
  const isHidden = async () => context.event.visibility === "private" && isPrivate(context, token, ASK_MS);
  if (stateKey === "" && !(await isHidden())) return log.warning(notSaved(READABLE));

  await inTempFolder(
    async (folder) => {
      const root = path.resolve(context.workspace, cd);
      const file = path.join(folder, "made", WORK_FILE);
      const kept = await gather({ context, root, folder, file, base: env["GITHUB_SHA"] ?? "", token, secrets });
      for (const text of kept) log.notice(text);
      const upload = path.join(folder, "upload");
      await mkdir(upload);
      if (stateKey === "") await copyFile(file, path.join(upload, WORK_FILE));
      else await sealFile(stateKey, file, path.join(upload, `${WORK_FILE}.sealed`));
      await writeFile(path.join(upload, "README.txt"), README);
      const toolkit = { program: path.join(path.dirname(script), "..", "artifact", "index.js"), env };
      const options = { ...toolkit, scratch: path.join(folder, "toolkit"), mark: "smithers-unproved" };
      const name = `unproved-work-${context.runId}-${context.attempt}`;
      const uploaded = await uploadForPeople(options, upload, name, { ms: UPLOAD_MS, retentionDays: null });
      if (uploaded.ok) log.notice(savedAs(uploaded.value));
      else log.warning(notSaved(uploaded.trouble.because));
    },
    path.join(context.temp, UNPROVED_FOLDER),
  );
}

interface Gathering {
  readonly context: GithubContext;
  readonly root: string;
  readonly folder: string;
  readonly file: string;
  /** the commit of the run, which people have too */
  readonly base: string;
  readonly token: string;
  readonly secrets: readonly string[];
}

/** Makes a bundle of the work tree. @returns what people have to know about it @throws Error when there is none */
async function gather(gathering: Gathering): Promise<readonly string[]> {
  const { context, root, folder, file, base, token, secrets } = gathering;
  const repository = await findRepository(root);
  if (repository === undefined) throw new Error("the workspace is no git repository any more");
  await mkdir(path.dirname(file));
  const snapshot = await (await createGitWorkspace({ root, folder, excluded: [] })).snapshot();
  if (snapshot === null) throw new Error("the workspace cannot be measured");
  const bundle = createWorkBundle({
    ref: REF,
    url: `${context.serverUrl}/${context.repository.owner}/${context.repository.name}`,
    token: token === "" ? null : token,
    folder: path.join(folder, "bundle.git"),
    mark: "smithers-unproved",
    secrets,
    workTree: {
      top: repository.top,
      prefix: repository.prefix,
      privateObjects: path.join(folder, GIT_FOLDER, "objects"),
      theirObjects: path.join(repository.commonDir, "objects"),
      shallowFile: path.join(repository.commonDir, "shallow"),
      head: () => base,
    },
  });
  return bundle.save(file, { base, tree: snapshot.tree }, GATHER_MS);
}

const READABLE =
  "others can read this repository, or GitHub does not say that they cannot, and there is no state-key to encrypt it with";

const README = `What was in the workspace of a job when nothing could prove any more how its loop stood. Nobody has checked it, and no
run goes on from it. Look at it as at the work of a stranger:

  git fetch ./${WORK_FILE} ${REF} && git diff HEAD FETCH_HEAD

A file that ends in .sealed is encrypted with the state-key of the workflow.
`;

function savedAs(name: string): string {
  return `What is in the workspace was uploaded as the artifact ${name}, for people: nobody has proved whose work it is, and no run goes on from it. Look at it as at the work of a stranger.`;
}

function notSaved(why: string): string {
  return `What is in the workspace was not saved: ${why}. It is still on this machine, for later steps of this job.`;
}
