import { randomBytes } from "node:crypto";
import { z } from "zod";
import { type AppRow, appOf, TOKEN_MS } from "../apps.ts";
import { instant, userDocument } from "../documents.ts";
import { type Answer, bodyOf, type Exchange, type Handlers, NOT_FOUND, refused } from "../operation.ts";

const LEVELS = ["read", "write", "admin"];

const Wanted = z
  .object({
    repositories: z.array(z.string()).optional(),
    repository_ids: z.array(z.number()).optional(),
    permissions: z.record(z.string(), z.enum(["read", "write"])).optional(),
  })
  .default({});

/** What Apps do with their own word, and the end of what they got for it. */
export const APPS: Handlers = {
  "apps/get-repo-installation": {
    signed: true,
    handle: asApp(({ world, params }, app) => {
      const { owner, name } = world.repository;
      const isHere = params["owner"] === owner && params["repo"] === name;
      if (!isHere || !app.installation.repositories.includes(name)) return NOT_FOUND;
      return { status: 200, body: installationDocument({ world }, app) };
    }),
  },
  "apps/create-installation-access-token": { signed: true, handle: asApp(mint) },
  "apps/revoke-installation-access-token": {
    handle: ({ world, token }) => {
      world.tokens.delete(token);
      return { status: 204 };
    },
  },
};

function asApp(handle: (exchange: Exchange, app: AppRow) => Answer) {
  return (exchange: Exchange): Answer => {
    const app = appOf(exchange.world, exchange.authorization);
    return "status" in app ? app : handle(exchange, app);
  };
}

function mint(exchange: Exchange, { slug, installation }: AppRow): Answer {
  const { world, params } = exchange;
  if (params["installation_id"] !== String(installation.id)) return NOT_FOUND;
  if (installation.suspended) return refused(403, "This installation has been suspended");
  const { repositories, repository_ids: ids, permissions = installation.permissions } = bodyOf(exchange, Wanted);
  const isElsewhere =
    repositories?.some((name) => !installation.repositories.includes(name)) === true ||
    ids?.some((id) => id !== world.repository.id) === true;
  if (isElsewhere)
    return refused(
      422,
      "There is at least one repository that does not exist or is not accessible to the parent installation.",
    );
  const isMore = Object.entries(permissions).some(
    ([name, level]) => LEVELS.indexOf(level) > LEVELS.indexOf(installation.permissions[name] ?? ""),
  );
  if (isMore) return refused(422, "The permissions requested are not granted to this installation.");
  const token = `ghs_${randomBytes(27).toString("base64url").replaceAll(/[-_]/gu, "0")}`;
  const mintedAt = world.now();
  const held = Object.entries(permissions).map(([name, level]) => [name.replaceAll("_", "-"), level] as const);
  world.tokens.set(token, { login: `${slug}[bot]`, permissions: Object.fromEntries(held), mintedAt });
  const expires = instant(new Date(mintedAt.getTime() + TOKEN_MS));
  return { status: 201, body: { token, expires_at: expires, permissions, repository_selection: "selected" } };
}

function installationDocument({ world }: Pick<Exchange, "world">, { id, clientId, slug, installation }: AppRow) {
  const base = `${world.url}/app/installations/${installation.id}`;
  const at = "2026-01-01T00:00:00Z";
  return {
    ...{ id: installation.id, app_id: id, client_id: clientId, app_slug: slug, events: [], target_type: "User" },
    ...{ target_id: 1, account: userDocument(world, world.repository.owner), single_file_name: null },
    ...{ repository_selection: "selected", permissions: installation.permissions, created_at: at, updated_at: at },
    ...{ access_tokens_url: `${base}/access_tokens`, repositories_url: `${world.url}/installation/repositories` },
    ...{ html_url: `${world.url}/settings/installations/${installation.id}` },
    ...{ suspended_by: null, suspended_at: installation.suspended ? at : null },
  };
}
