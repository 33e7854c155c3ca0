import type { z } from "zod";
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
  /** what the token may do */
  readonly may: Needs;
  readonly token: string;
  /** the whole header */
  readonly authorization: string;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a token has to be allowed, as under `permissions:` of a job. */
export type Needs = Readonly<Record<string, "read" | "write">>;

/** What the stand-in does for one operation of the description. */
interface Handler {
  /** a function where it depends on what is asked about */
  readonly needs?: Needs | ((asked: Pick<Exchange, "world" | "params" | "may">) => Needs);
  /** asked by an App with its own signed word, which the handler judges, in place of a token */
  readonly signed?: true;
  handle(exchange: Exchange): Answer | Promise<Answer>;
}

/** By the description's `operationId`. */
export type Handlers = Readonly<Record<string, Handler>>;

export const NOT_FOUND: Answer = refused(404, "Not Found");

/** An answer that is a refusal, the way GitHub words it. */
export function refused(status: number, message: string, errors?: readonly unknown[]): Answer {
  const body = { message, documentation_url: "https://docs.github.com/rest", status: String(status) };
  return { status, body: errors === undefined ? body : { ...body, errors } };
}

/** What was sent fits the description, but not what is there. */
export function invalid(resource: string, field: string, code: string, message?: string): Answer {
  return refused(422, "Validation Failed", [{ resource, field, code, ...(message === undefined ? {} : { message }) }]);
}

/** The body of a request, which the description has found right. */
export function bodyOf<T>({ body }: Exchange, schema: z.ZodType<T>): T {
  return schema.parse(body);
}

/** A list, paged. */
export function listed<T>(exchange: Exchange, pathname: string, rows: readonly T[], show: (row: T) => unknown): Answer {
  const { rows: shown, headers } = page(exchange, pathname, rows);
  return { status: 200, body: shown.map(show), headers };
}

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
