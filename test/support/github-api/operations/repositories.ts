import { fullRepository, instant, repositoryPath, userDocument } from "../documents.ts";
import { type Answer, type Exchange, type Handlers, listed, NOT_FOUND, refused } from "../operation.ts";
import { pushesOf } from "../pushes.ts";
import type { ActivityRow, Role } from "../rows.ts";
import type { World } from "../world.ts";

/** What the old word for a role is. */
const PERMISSIONS = {
  admin: "admin",
  maintain: "write",
  write: "write",
  triage: "read",
  read: "read",
  none: "none",
} as const satisfies Record<Role, string>;

/** The repository itself: its settings, who may do what, and who pushed when. */
export const REPOSITORIES: Handlers = {
  "repos/get": {
    handle: ({ world, may }) => {
      const push = may["contents"] === "write";
      const permissions = { admin: false, maintain: false, push, triage: false, pull: may["contents"] !== undefined };
      return { status: 200, body: { ...fullRepository(world), permissions } };
    },
  },
  "repos/get-collaborator-permission-level": { handle: permissionOf },
  "repos/list-activities": { needs: { contents: "read" }, handle: listActivity },
  // `metadata: read` is enough, which every token has.
  "repos/get-branch-rules": { handle: rulesOf },
  // A job's token never has these two: `permissions:` knows neither of them.
  "actions/get-repo-variable": {
    needs: { variables: "read" },
    handle: ({ world, params }) => {
      const name = (params["name"] ?? "").toUpperCase();
      const value = world.variables.get(name);
      const at = "2026-11-20T03:00:00Z";
      return value === undefined ? NOT_FOUND : { status: 200, body: { name, value, created_at: at, updated_at: at } };
    },
  },
  "actions/get-github-actions-default-workflow-permissions-repository": {
    needs: { administration: "read" },
    handle: ({ world }) => ({
      status: 200,
      body: {
        default_workflow_permissions: "read",
        can_approve_pull_request_reviews: world.settings.actionsMayCreatePulls,
      },
    }),
  },
};

/** Those of rulesets alone: a classic branch protection is told to administrators only. */
function rulesOf(exchange: Exchange): Answer {
  const { world, params } = exchange;
  const branch = params["branch"] ?? "";
  if (!world.settings.hasRules)
    return refused(403, "Upgrade to GitHub Pro or make this repository public to enable this feature.");
  const checks = world.requiredChecks.filter((row) => row.branch === branch);
  const { owner, name } = world.repository;
  const source = { ruleset_source_type: "Repository", ruleset_source: `${owner}/${name}`, ruleset_id: 1 };
  const required = checks.map(({ context, app }) => (app === null ? { context } : { context, integration_id: app }));
  const parameters = { required_status_checks: required, strict_required_status_checks_policy: false };
  const rules = checks.length === 0 ? [] : [{ type: "deletion" }, { type: "required_status_checks", parameters }];
  const path = `${repositoryPath(world)}/rules/branches/${encodeURIComponent(branch)}`;
  return listed(exchange, path, rules, (rule) => ({ ...rule, ...source }));
}

function permissionOf({ world, params }: Exchange): Answer {
  const login = params["username"] ?? "";
  const user = [...world.users.values()].find((row) => row.login.toLowerCase() === login.toLowerCase());
  if (user === undefined) return NOT_FOUND;
  if (user.type === "Bot") return refused(404, `${login} is not a user`);
  const at = (least: readonly Role[]): boolean => least.includes(user.role);
  const permissions = {
    admin: at(["admin"]),
    maintain: at(["admin", "maintain"]),
    push: at(["admin", "maintain", "write"]),
    triage: at(["admin", "maintain", "write", "triage"]),
    pull: user.role !== "none",
  };
  const said = { permission: PERMISSIONS[user.role], role_name: user.role };
  return {
    status: 200,
    body: { ...said, user: { ...userDocument(world, user.login), permissions, role_name: user.role } },
  };
}

async function listActivity(exchange: Exchange): Promise<Answer> {
  const { world, query } = exchange;
  const wanted = (name: string, value: string): boolean => (query.get(name) ?? value) === value;
  const [ref, newest] = [query.get("ref"), query.get("direction") !== "asc"];
  const rows = [...world.activity, ...(await pushesOf(world))]
    .filter((row) => ref === null || row.ref === ref || row.ref === `refs/heads/${ref}`)
    .filter((row) => wanted("activity_type", row.type) && wanted("actor", row.author))
    .toSorted((a, b) => (newest ? -1 : 1) * (a.at.getTime() - b.at.getTime() || a.id - b.id));
  return listed(exchange, `${repositoryPath(world)}/activity`, rows, (row) => activityDocument(world, row));
}

function activityDocument(world: World, { id, ref, before, after, type, author, at }: ActivityRow) {
  const said = { ref, before, after, activity_type: type, timestamp: instant(at) };
  return { id, node_id: `PSH_${id}`, ...said, actor: userDocument(world, author) };
}
