import path from "node:path";
import { StringDecoder } from "node:string_decoder";
import { viewForJob } from "../app/view-of.ts";
import { writeSummary } from "../app/write-summary.ts";
import type { Carriers } from "../carry/carriers.ts";
import type { SavedLoop } from "../carry/save.ts";
import type { Outputs } from "../config/action.ts";
import type { Config } from "../config/config.ts";
import { messageOf } from "../core/errors.ts";
import { SUMMARY_FILE } from "../core/names.ts";
import { nextResetAt, outcomeOf } from "../core/outcome.ts";
import type { LoopState } from "../core/state.ts";
import type { GithubContext } from "../github/context.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { inOwnFolderIfThere, openToRead, ownFolder } from "../os/own-file.ts";
import { SecretValues } from "../os/secrets.ts";
import type { LoopPlace } from "../store/place.ts";
import { costReport } from "../views/cost.ts";
import type { PageInArtifact, PagePlace, PublicationFacts } from "../views/github/facts.ts";
import type { RunView } from "../views/run-view.ts";

/**
 * Reports a job's loop where the job's steps and people look for it.
 *
 * @param told what people were told, which the summary repeats
 */
export function createJobReport(
  context: GithubContext,
  place: LoopPlace,
  config: Config,
  told: readonly string[],
  log: Pick<RunnerLog, "warning" | "secrets">,
) {
  let last: { readonly state: LoopState; readonly view: Promise<RunView> } | undefined;
  // A state is shown in several places, and what it has changed is measured by git.
  const view = (state: LoopState): Promise<RunView> => {
    if (last?.state !== state) last = { state, view: viewForJob(state, place, config) };
    return last.view;
  };
  const runUrl = runUrlOf(context);
  const page = createPage({ context, place, config, view, log });
  return {
    /** a state as others may see it */
    view,
    /**
     * Writes `summary.json`, and `report.html` for the artifact. Failing only warns.
     */
    writeSummary: async (state: LoopState): Promise<void> => {
      try {
        await writeSummary(place, await view(state), config.summaryJson);
      } catch (error) {
        log.warning(`The summary could not be written (${messageOf(error)}); state and events are complete.`);
      }
      await page.write(state).catch((error: unknown) => {
        log.warning(`The page about the loop could not be written (${messageOf(error)}); the loop itself is unharmed.`);
      });
    },
    showPage: page.show,
    pageIn: page.inArtifact,
    /**
     * Writes the job's summary, replacing an earlier one of this step. Failing only warns.
     *
     * @param shown where the page about the loop is; null: nowhere
     */
    summarize: async (
      state: LoopState,
      saved: SavedLoop,
      shown: PagePlace | null = null,
      published?: PublicationFacts,
    ): Promise<void> => {
      const [{ jobSummary }, { writeJobSummary }] = await Promise.all([
        import("../views/github/job-summary.ts"),
        import("../reporters/job-files.ts"),
      ]);
      const markdown = jobSummary(await view(state), {
        runUrl,
        artifactUrl: saved.artifact === null ? null : artifactUrlOf(context, saved.artifact.id),
        page: shown,
        notices: told,
        carriers: saved.fates,
        ...(published === undefined ? {} : { published }),
      });
      try {
        writeJobSummary(log.secrets.hiddenInWords(markdown));
      } catch (error) {
        log.warning(`The job's summary could not be written: ${messageOf(error)}.`);
      }
    },
    /** Sets the outputs for the later steps of the job. */
    handOver: async (state: LoopState, saved: SavedLoop): Promise<void> => {
      const { setOutputs } = await import("../reporters/job-files.ts");
      await setOutputs(await outputsOf(state, place, saved.artifact?.id ?? null, log.secrets));
    },
  };
}

/** The page about a job's loop. Where others can read it, it is without prompts, messages and changes, and says so. */
function createPage({ context, place, config, view, log }: PageSources) {
  const isSealed = config.stateKey !== null;
  const hasTexts = isSealed || context.event.visibility === "private";
  /** As it was made: what is in the loop's folder, a process of the agent's may have changed. */
  let text: string | undefined;
  const write = async (state: LoopState): Promise<string> => {
    const { makeReport, writeReport } = await import("../app/write-report.ts");
    text = await makeReport(place, await view(state), { config, withTexts: hasTexts });
    await writeReport(place, text);
    return text;
  };
  const inside = (artifact: string, byHand: boolean, artifactUrl: string | null = null): PageInArtifact => {
    const opens = `smithers report ${artifact}`;
    const get = `gh run download ${context.runId} -R ${repositoryFor(context)} -n ${artifact} -D ${artifact}`;
    return {
      artifact,
      artifactUrl,
      byHand,
      isSealed,
      command: byHand ? `${opens}.zip --open` : `${get} && ${opens} --open`,
    };
  };
  return {
    /** Writes `report.html` for the loop's artifact. @throws the file system's error */
    write,
    /**
     * Where the page is once the loop is saved: only then has its artifact an address; it has got another name when that was
     * taken, or there is none.
     */
    inArtifact: (shown: PagePlace | null, saved: SavedLoop["artifact"]): PagePlace | null => {
      if (shown === null || "url" in shown) return shown;
      if (saved === null) return null;
      // The addresses of other servers than GitHub's are not known.
      if (!shown.byHand) return inside(saved.name, false, artifactUrlOf(context, saved.id));
      return shown.artifact === saved.name ? shown : inside(saved.name, true);
    },
    /**
     * Has the page shown where people can open it in their browser (C137). Failing only warns: it is in the loop's artifact
     * as well.
     *
     * @param beside how; undefined: the loop has no artifact
     * @param withinMs bounds the upload
     * @returns where it is, or will be once the loop is saved; null: nowhere
     */
    show: async (state: LoopState, beside: Carriers["page"], withinMs: number): Promise<PagePlace | null> => {
      if (beside === undefined) return null;
      const { upload } = beside;
      const within = inside(beside.inside, beside.byHand);
      if (upload === undefined) return within;
      try {
        const uploaded = await upload(text ?? (await write(state)), withinMs);
        if (uploaded.ok) return { url: artifactUrlOf(context, uploaded.value), hasTexts };
        log.warning(`The page about the loop has no address of its own: ${uploaded.trouble.because}. ${INSIDE}`);
      } catch (error) {
        log.warning(`The page about the loop could not be shown: ${messageOf(error)}. ${INSIDE}`);
      }
      return within;
    },
  };
}

interface PageSources {
  readonly context: GithubContext;
  readonly place: LoopPlace;
  readonly config: Config;
  readonly view: (state: LoopState) => Promise<RunView>;
  readonly log: Pick<RunnerLog, "warning">;
}

function runUrlOf({ repository, serverUrl, runId }: GithubContext): string {
  return `${serverUrl}/${repository.owner}/${repository.name}/actions/runs/${runId}`;
}

function artifactUrlOf(context: GithubContext, id: string | number): string {
  return `${runUrlOf(context)}/artifacts/${id}`;
}

/** As `gh` is told of it, which looks on GitHub.com unless another host is named: of those only GHE.com has artifacts. */
function repositoryFor({ repository: { owner, name }, serverUrl }: GithubContext): string {
  const { host } = new URL(serverUrl);
  return host.endsWith(".ghe.com") ? `${host}/${owner}/${name}` : `${owner}/${name}`;
}

const INSIDE = "It is in the loop's artifact, and the loop itself is unharmed.";

export type JobReport = ReturnType<typeof createJobReport>;

/** All outputs of a job together may have 1 MB; a message that long is for the artifact. */
const MESSAGE_BYTES = 48 * 1024;

/**
 * What later steps of the job can ask of a loop, by the output's name.
 *
 * @param secrets what no output may show
 */
export async function outputsOf(
  state: LoopState,
  place: LoopPlace,
  artifactId: number | null,
  secrets = new SecretValues([]),
): Promise<Outputs> {
  const { stop_reason: reason, github } = state;
  const pull = github?.pull_request ?? null;
  return {
    status: state.status,
    "stop-reason": reason?.kind ?? "",
    resumable: String(reason !== null && outcomeOf(reason).resumableBy !== "nobody"),
    "next-reset-at": nextResetAt(reason) ?? "",
    "loop-id": state.loop_id,
    iterations: String(state.iteration),
    "final-message": await finalMessage(state, place, secrets),
    "summary-file": path.join(place.folder, SUMMARY_FILE),
    "tokens-used": String(state.spent.tokens),
    "cost-usd": String(costReport(state).usd ?? ""),
    branch: github === null || github.head === null ? "" : github.branch,
    "pr-number": pull === null ? "" : String(pull.number),
    "pr-url": pull?.url ?? "",
    "artifact-id": artifactId === null ? "" : String(artifactId),
  };
}

/** The beginning of the agent's last message; "" before the first. */
async function finalMessage(
  { artifacts }: LoopState,
  { root, folder }: LoopPlace,
  secrets: SecretValues,
): Promise<string> {
  if (artifacts.last_message_path === null) return "";
  // The name is ours: a path that came with the state is never followed.
  const { last_message_path: named } = artifacts;
  const own = await ownFolder(root, folder);
  // Whoever put a link there wants something else to be said (T14).
  const opening = inOwnFolderIfThere(own, (at) => openToRead(path.join(at, path.basename(named))));
  const file = await opening.catch(() => undefined);
  if (file === undefined) return "";
  try {
    // What the end would cut in two is hidden as well.
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MESSAGE_BYTES + secrets.longest), { position: 0 });
    const { text } = secrets.cleaned(buffer.toString("latin1", 0, bytesRead), Math.min(bytesRead, MESSAGE_BYTES), 0);
    // A character that the end cuts in two is left out.
    return new StringDecoder("utf8").write(Buffer.from(text, "latin1").subarray(0, MESSAGE_BYTES));
  } finally {
    await file.close();
  }
}
