import { z } from "zod";

/** Who calls the results service, as the runtime token says it. */
export interface Caller {
  readonly run: string;
  readonly job: string;
  /** caches that may be used, the narrowest scope first */
  readonly scopes: readonly CacheScope[];
}

export interface CacheScope {
  /** as in `refs/heads/main` */
  readonly scope: string;
  readonly may: "read" | "write";
}

const READ = 1;
const WRITE = 2;

/** A runtime token of the form that GitHub gives to steps; nobody signs it. */
export function runtimeToken({ run, job, scopes }: Caller): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const payload = {
    scp: `Actions.GenericRead:00000000 Actions.Results:${run}:${job}`,
    ac: JSON.stringify(
      scopes.map(({ scope, may }) => ({ Scope: scope, Permission: may === "write" ? READ | WRITE : READ })),
    ),
    exp: 4_102_444_800,
  };
  return [part({ alg: "none", typ: "JWT" }), part(payload), ""].join(".");
}

/** What a bearer header says; undefined when it is not ours. */
export function callerOf(authorization: string | undefined): Caller | undefined {
  const payload = /^bearer [^.]*\.([^.]+)\./iu.exec(authorization ?? "")?.[1];
  if (payload === undefined) return undefined;
  const parsed = payloadSchema.safeParse(JSON.parse(Buffer.from(payload, "base64url").toString()));
  if (!parsed.success) return undefined;
  const [, run = "", job = ""] = /\bActions\.Results:([^:\s]+):([^:\s]+)/u.exec(parsed.data.scp) ?? [];
  const scopes = scopesSchema.parse(JSON.parse(parsed.data.ac));
  return {
    run,
    job,
    scopes: scopes.map(({ Scope, Permission }) => ({ scope: Scope, may: (Permission & WRITE) > 0 ? "write" : "read" })),
  };
}

const payloadSchema = z.object({ scp: z.string(), ac: z.string() });
const scopesSchema = z.array(z.object({ Scope: z.string(), Permission: z.int() }));
