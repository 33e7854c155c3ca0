import type { Target } from "./target.ts";
import { agentOutput, agentScript, agentUsage, codexFailures, codexStream } from "./targets/agents.ts";
import { archives, bundles, seals } from "./targets/archives.ts";
import { ruleBendsTarget } from "./targets/bends.ts";
import { checklists, claims, contradictions, patterns } from "./targets/claims.ts";
import { foreign, toml, values } from "./targets/configs.ts";
import { diffs, gitWords, listings, processes } from "./targets/git.ts";
import { globs } from "./targets/globs.ts";
import { bundleHeaders, handedRecords, publications, replacedFiles } from "./targets/handed.ts";
import { judges } from "./targets/judges.ts";
import { ledgers } from "./targets/ledgers.ts";
import { runnerLog } from "./targets/log.ts";
import { objects } from "./targets/objects.ts";
import { prdDocuments, prdMarkdown } from "./targets/prds.ts";
import { keyProxy } from "./targets/proxy.ts";
import { holders } from "./targets/holders.ts";
import { handOvers, histories, manifests, notes, records, states } from "./targets/records.ts";
import { reviews } from "./targets/reviews.ts";
import { issues, reviewBodies, workflows } from "./targets/orders.ts";
import { jobLogs, runners, specs, testFiles } from "./targets/runners.ts";
import { carriedRedaction, copies, redaction, tokens } from "./targets/secrets.ts";
import { stories } from "./targets/stories.ts";
import { comments, contexts, dispatches, prds, refusals, webhooks } from "./targets/webhooks.ts";
import { fences, markdownTexts, plainTexts } from "./targets/words.ts";

/** Every target there is. */
export const TARGETS: readonly Target[] = [
  ...[
    codexStream,
    codexFailures,
    agentOutput,
    agentScript,
    agentUsage,
    claims,
    contradictions,
    checklists,
    patterns,
    globs,
  ],
  ...[fences, markdownTexts, plainTexts, runnerLog, redaction, carriedRedaction, copies, tokens],
  ...[stories, judges, ruleBendsTarget, reviews],
  ...[holders, ledgers, states, records, manifests, notes, handOvers, histories, archives, bundles, seals],
  ...[handedRecords, publications, replacedFiles, bundleHeaders],
  ...[prdDocuments, prdMarkdown],
  ...[webhooks, comments, dispatches, prds, contexts, refusals],
  ...[workflows, issues, reviewBodies],
  ...[
    toml,
    foreign,
    values,
    diffs,
    listings,
    objects,
    gitWords,
    processes,
    runners,
    jobLogs,
    testFiles,
    specs,
    keyProxy,
  ],
];

/** @throws RangeError when there is none of that name */
export function targetNamed(name: string): Target {
  const found = TARGETS.find((target) => target.name === name);
  if (found !== undefined) return found;
  throw new RangeError(`There is no target ${name}; there are ${TARGETS.map((target) => target.name).join(", ")}.`);
}
