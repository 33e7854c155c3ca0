/**
 * What is at the other end of the network: the results service with its blob store, and GitHub's API. It runs in a
 * process of its own, so that none of its work is taken for ours; `startFarEnd` starts it.
 */
import { ArtifactBench, READS_ACTIONS } from "../../test/carry/artifact-bench.ts";
import { aRun } from "../../test/support/github-api/server.ts";
import { type FarEndFacts, RUN } from "./network.ts";

const bench = await ArtifactBench.start();
await bench.ready();
const { service, api } = bench;
const { runs, repository } = api.world;
runs.push(aRun({ id: RUN }));

const facts: FarEndFacts = {
  environment: { ...service.environment({ run: String(RUN) }), GITHUB_API_URL: api.url },
  apiUrl: api.url,
  token: READS_ACTIONS,
  repository: { owner: repository.owner, name: repository.name, id: repository.id },
};
process.send?.(facts);

let copies = 0;
process.on("message", (carrier: "cache" | "artifact") => {
  const stored = carrier === "cache" ? service.cache.entries : service.artifacts.stored;
  const last = stored.at(-1)?.blob ?? "";
  const copy = `copy-${(copies += 1)}`;
  process.send?.({ down: service.blobs.downloadUrl(last), up: service.blobs.uploadUrl(copy) });
});
process.on("disconnect", () => void bench.end().then(() => process.exit()));
