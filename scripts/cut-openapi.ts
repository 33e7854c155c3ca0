/**
 * Cuts what we use out of GitHub's description of its REST API, for the tests to hold our requests and our stand-in to.
 *
 *     cd $(mktemp -d) && npm install --ignore-scripts @octokit/openapi@23.0.2     # 385 MB: not a dependency
 *     node scripts/cut-openapi.ts node_modules/@octokit/openapi/generated/api.github.com.json
 *
 * Writes test/fixtures/github/openapi.json: the operations below with everything that they refer to, without examples
 * and prose. An operation that the description does not have is an error.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const TARGET = path.join(import.meta.dirname, "../test/fixtures/github/openapi.json");

const OPERATIONS: Readonly<Record<string, string>> = {
  actions:
    "create-workflow-dispatch get-workflow-run list-workflow-runs list-workflow-run-artifacts list-artifacts-for-repo " +
    "get-artifact " +
    "download-artifact download-job-logs-for-workflow-run get-job-for-workflow-run list-jobs-for-workflow-run list-workflow-runs-for-repo get-workflow " +
    "get-actions-cache-list delete-actions-cache-by-key delete-actions-cache-by-id get-repo-variable " +
    "get-github-actions-default-workflow-permissions-repository",
  apps: "get-repo-installation create-installation-access-token revoke-installation-access-token",
  checks: "create list-annotations update",
  git:
    "get-ref list-matching-refs create-ref update-ref delete-ref create-blob get-blob create-tree get-tree " +
    "create-commit get-commit",
  issues:
    "create-comment update-comment delete-comment get-comment list-comments get create update create-label get-label " +
    "add-labels list-labels-on-issue remove-label list-events get-event",
  pulls:
    "create list get update list-files create-review update-review list-reviews request-reviewers get-review " +
    "create-reply-for-review-comment",
  reactions: "create-for-issue-comment list-for-issue-comment",
  repos:
    "get get-commit get-content create-or-update-file-contents get-collaborator-permission-level create-commit-status " +
    "get-combined-status-for-ref list-commit-statuses-for-ref list-activities compare-commits get-branch-rules",
  users: "get-authenticated",
};

const WEBHOOKS =
  "issue-comment-created issue-comment-edited issues-labeled issues-opened pull-request-closed pull-request-labeled " +
  "pull-request-review-submitted workflow-dispatch workflow-run-completed";

/** What says nothing about validity. `description` is also the name of properties, whose values are no texts. */
const PROSE = new Set(["example", "examples", "x-github", "externalDocs", "tags", "summary"]);

const Operations = z.record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.string().optional() })));
const Description = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ version: z.string() }),
  paths: Operations,
  "x-webhooks": Operations,
});
type Tree = Readonly<Record<string, unknown>>;

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withoutProse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProse);
  if (!isTree(value)) return value;
  const kept = Object.entries(value).filter(
    ([key, inner]) => !(PROSE.has(key) && !isSchemaOf(key, inner)) && !(key === "description" && !isTree(inner)),
  );
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutProse(inner)]));
}

/** Whether `tags` and the like are the name of a property here. */
function isSchemaOf(key: string, value: unknown): boolean {
  return (
    key !== "example" && key !== "examples" && isTree(value) && ("type" in value || "$ref" in value || "anyOf" in value)
  );
}

/** The operations of `wanted` with their paths, and the names of those that there are not. */
function pick(paths: z.infer<typeof Operations>, wanted: ReadonlySet<string>): { found: Tree; lacking: string[] } {
  const left = new Set(wanted);
  const found = Object.entries(paths).flatMap(([route, methods]) => {
    const kept = Object.entries(methods).filter(([, { operationId }]) => left.delete(operationId ?? ""));
    return kept.length === 0 ? [] : [[route, Object.fromEntries(kept)] as const];
  });
  return { found: Object.fromEntries(found), lacking: [...left] };
}

/** Copies into `cut` what `value` refers to, and what that refers to. */
function follow(value: unknown, from: unknown, cut: Map<string, unknown>): void {
  if (Array.isArray(value)) for (const inner of value) follow(inner, from, cut);
  if (!isTree(value)) return;
  const { $ref: reference } = value;
  if (typeof reference === "string" && !cut.has(reference)) {
    const target = withoutProse(at(from, reference));
    cut.set(reference, target);
    follow(target, from, cut);
  }
  for (const inner of Object.values(value)) follow(inner, from, cut);
}

function at(from: unknown, reference: string): unknown {
  const steps = reference.replace(/^#\//u, "").split("/");
  const target = steps.reduce<unknown>((value, step) => (isTree(value) ? value[step] : undefined), from);
  if (target === undefined) throw new Error(`There is nothing at ${reference}.`);
  return target;
}

/** `#/components/schemas/job` and the like, as the tree that they are the paths of. */
function components(cut: ReadonlyMap<string, unknown>): Tree {
  const kinds: Record<string, Record<string, unknown>> = {};
  for (const [reference, target] of [...cut].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const [, , kind = "", name = ""] = reference.split("/");
    kinds[kind] = { ...kinds[kind], [name]: target };
  }
  return kinds;
}

function main(source: string): void {
  const whole = Description.parse(JSON.parse(readFileSync(source, "utf8")));
  const names = Object.entries(OPERATIONS).flatMap(([group, list]) =>
    list.split(" ").map((name) => `${group}/${name}`),
  );
  const paths = pick(whole.paths, new Set(names));
  if (paths.lacking.length > 0) throw new Error(`No such operations: ${paths.lacking.join(", ")}.`);
  const webhooks = Object.fromEntries(WEBHOOKS.split(" ").map((name) => [name, at(whole["x-webhooks"], name)]));
  const roots = { paths: withoutProse(paths.found), "x-webhooks": withoutProse(webhooks) };
  const cut = new Map<string, unknown>();
  follow(roots, whole, cut);
  const { openapi, info } = whole;
  const head = { openapi, info: { title: "Extract of GitHub's REST API description", version: info.version } };
  writeFileSync(TARGET, `${JSON.stringify({ ...head, ...roots, components: components(cut) })}\n`);
  console.log(`${TARGET}: ${names.length} operations, ${cut.size} components`);
}

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error("Say where api.github.com.json is.");
main(source);
