import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { z } from "zod";
import { parsedJson } from "../../../src/core/text.ts";
import { type Answer, refused } from "./operation.ts";
import type { Token, World } from "./world.ts";

/** How long the token of an App's installation lives. */
export const TOKEN_MS = 60 * 60_000;
/** The longest that GitHub lets an App's own word count, and how far its clock may be ahead of GitHub's. */
const LONGEST_MS = 10 * 60_000;
const AHEAD_MS = 60_000;

/** An App, and its installation on the account that has the repository. */
export interface AppRow {
  readonly id: number;
  readonly clientId: string;
  /** its tokens act as `<slug>[bot]` */
  readonly slug: string;
  readonly publicKey: KeyObject;
  readonly installation: {
    readonly id: number;
    /** names of the repositories that it may see */
    readonly repositories: readonly string[];
    /** as GitHub spells them for Apps: `pull_requests` */
    readonly permissions: Readonly<Record<string, "read" | "write">>;
    readonly suspended: boolean;
  };
}

/** An App that is installed on `octo/demo` and `o/r` and may write all that the Action ever writes. */
export function anApp(
  row: Partial<Omit<AppRow, "installation">> & { readonly installation?: Partial<AppRow["installation"]> },
  privateKey: KeyObject | string,
): AppRow {
  const { installation, ...rest } = row;
  const written = "actions contents issues pull_requests statuses".split(" ");
  return {
    ...{ id: 4711, clientId: "Iv23liAbCdEfGhIjKlMn", slug: "the-app", publicKey: createPublicKey(privateKey), ...rest },
    installation: {
      ...{ id: 815, repositories: ["demo", "r"], suspended: false },
      permissions: { metadata: "read", ...Object.fromEntries(written.map((name) => [name, "write"] as const)) },
      ...installation,
    },
  };
}

/** A token that GitHub still knows; undefined: it never did, has revoked it, or it is an hour old. */
export function tokenNamed({ tokens, now }: Pick<World, "tokens" | "now">, name: string): Token | undefined {
  const token = tokens.get(name);
  const endsAt = token?.mintedAt === undefined ? Infinity : token.mintedAt.getTime() + TOKEN_MS;
  return now().getTime() < endsAt ? token : undefined;
}

const Head = z.object({ alg: z.string() });
const Claims = z.object({
  iss: z.union([z.string(), z.number()]),
  iat: z.unknown().optional(),
  exp: z.unknown().optional(),
});
const UNDECODED = refused(401, "A JSON web token could not be decoded");

/** The App that a request speaks for, by its signed word (RS256); else GitHub's refusal. */
export function appOf({ apps, now }: Pick<World, "apps" | "now">, authorization: string): AppRow | Answer {
  const [, jwt = ""] = /^bearer (.+)$/iu.exec(authorization) ?? [];
  const [head = "", body = "", signature = "", ...more] = jwt.split(".");
  const said = Claims.safeParse(decoded(body));
  const { data: { alg } = { alg: "" } } = Head.safeParse(decoded(head));
  if (more.length > 0 || alg !== "RS256" || !said.success) return UNDECODED;
  const { iss, iat, exp } = said.data;
  const app = apps.find(({ id, clientId }) => String(iss) === String(id) || iss === clientId);
  if (app === undefined) return refused(404, "Integration not found");
  const signed = Buffer.from(signature, "base64url");
  // GitHub says the same of a key that is another App's.
  if (!verify("RSA-SHA256", Buffer.from(`${head}.${body}`), app.publicKey, signed)) return UNDECODED;
  const at = now().getTime();
  if (typeof exp !== "number" || exp * 1000 <= at) return refused(401, NO_FUTURE);
  if (exp * 1000 > at + LONGEST_MS) return refused(401, "'Expiration time' claim ('exp') is too far in the future");
  if (typeof iat !== "number" || !Number.isInteger(iat) || iat * 1000 > at + AHEAD_MS) return refused(401, NO_PAST);
  return app;
}

const NO_FUTURE =
  "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires";
const NO_PAST = "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued";

function decoded(part: string): unknown {
  return parsedJson(Buffer.from(part, "base64url").toString("utf8"));
}
