import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { uploadForPeople } from "../../carry/artifact.ts";
import { toolkitFor } from "../../carry/carriers.ts";
import { PROGRESS_FILE } from "../../core/names.ts";
import { SecretValues } from "../../os/secrets.ts";
import { ledgerText } from "../../core/story/ledger.ts";
import { secretsOf } from "../../store/redaction.ts";
import { landingSummary, type PrdReport } from "../../views/github/landing-report.ts";
import type { Host } from "../run-stage.ts";
import type { ClaimedWork } from "./candidates.ts";
import { type Closing, WITHIN } from "./closing.ts";

const UPLOAD_MS = 60_000;
/** Bytes of one patch, and of all. */
const [A_PATCH, ALL_PATCHES] = [4 << 20, 32 << 20];

/**
 * Uploads how the PRD is as an artifact for people: the report, the notes of its waves, its ledger, and as a patch each
 * work of this wave that claims its story and has not landed. What fails is told: branches and ledger are on GitHub.
 */
export async function keepReport(
  closing: Closing,
  { env, script }: Pick<Host, "env" | "script">,
  report: PrdReport,
  kept: readonly ClaimedWork[],
): Promise<void> {
  const { context, config, place, prd, ledger, teller } = closing;
  if (!config.carriers.includes("artifact")) return;
  const folder = place.scratch("closing");
  await rm(folder, { recursive: true, force: true });
  const candidates = path.join(folder, "candidates");
  await mkdir(candidates, { recursive: true });
  const secrets = new SecretValues(secretsOf(config));
  await writeFile(path.join(folder, "report.md"), secrets.hiddenInWords(landingSummary(report)));
  await writeFile(path.join(folder, PROGRESS_FILE), secrets.hiddenInWords(ledger.notes));
  await writeFile(path.join(folder, "ledger.json"), ledgerText(ledger.now));
  for (const [loop, patch] of await patchesOf(closing, kept)) {
    await writeFile(path.join(candidates, `${loop}.patch`), Buffer.from(secrets.hiddenIn(patch), "latin1"));
  }
  const { runId, attempt } = context;
  const toolkit = toolkitFor({ host: { env, script }, place }, "artifact");
  const limits = { ms: UPLOAD_MS, retentionDays: config.retentionDays };
  const uploaded = await uploadForPeople(toolkit, folder, `smithers-waves-${prd.name}-${runId}-${attempt}`, limits);
  if (uploaded.ok) teller.line(`report, notes and what has not landed are in the artifact ${uploaded.value}`);
  else
    teller.notice(`Report and notes are in no artifact: ${uploaded.trouble.because}. The ledger's ref has the notes.`);
}

/** Patches as byte strings, by their loops, as far as there is room. */
async function patchesOf({ git, teller }: Closing, kept: readonly ClaimedWork[]): Promise<ReadonlyMap<string, string>> {
  const patches = new Map<string, string>();
  let room = ALL_PATCHES;
  for (const { loop, work } of kept) {
    if (work === null || work.changes.length === 0) continue;
    const patch = await git.patch(work, WITHIN.git);
    if (patch.ok && patch.value.length <= Math.min(room, A_PATCH)) {
      room -= patch.value.length;
      patches.set(loop, patch.value);
      continue;
    }
    const why = patch.ok ? "it is too large" : patch.trouble.because;
    teller.notice(`What ${loop} has changed is not in the artifact: ${why}. It is on its branch.`);
  }
  return patches;
}
