import type { World } from "./world.ts";

/** A request that the description has found nothing wrong with. */
export interface Exchange {
  readonly world: World;
  /** of the path: numbers as texts, as they were sent */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** of the token that asks */
  readonly login: string;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the stand-in does for one operation of the description. */
export interface Handler {
  /** what the token has to be allowed, as under `permissions:` of a job */
  readonly needs?: Readonly<Record<string, "read" | "write">>;
  handle(exchange: Exchange): Answer | Promise<Answer>;
}

/** By the description's `operationId`. */
export type Handlers = Readonly<Record<string, Handler>>;

export const NOT_FOUND: Answer = { status: 404, body: { message: "Not Found", documentation_url: "", status: "404" } };

/** One page of a list, the way GitHub counts and links them. */
export function page<T>({ query, world }: Exchange, pathname: string, rows: readonly T[]): Page<T> {
  const size = Math.min(100, Number(query.get("per_page") ?? 30));
  const number = Number(query.get("page") ?? 1);
  const last = Math.max(1, Math.ceil(rows.length / size));
  const link = (to: number, rel: string): string => {
    const wanted = new URLSearchParams(query);
    wanted.set("page", String(to));
    return `<${world.url}${pathname}?${wanted.toString()}>; rel="${rel}"`;
  };
  const more = number < last ? { link: [link(number + 1, "next"), link(last, "last")].join(", ") } : {};
  return { rows: rows.slice((number - 1) * size, number * size), headers: more };
}

export interface Page<T> {
  readonly rows: readonly T[];
  readonly headers: Readonly<Record<string, string>>;
}
