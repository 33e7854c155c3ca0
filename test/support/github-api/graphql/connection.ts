import { refusal } from "./refusals.ts";

export interface Page {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

const MOST = 100;

/** A part of a list, cut as GitHub cuts it: from one end, at most a hundred. */
export function connection<T>(name: string, page: Page, rows: readonly T[]) {
  const { first, last, after, before } = page;
  if (typeof first !== "number" && typeof last !== "number")
    throw refusal(
      "MISSING_PAGINATION_BOUNDARIES",
      `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
    );
  if ((first ?? 0) > MOST || (last ?? 0) > MOST)
    throw refusal(
      "EXCESSIVE_PAGINATION",
      `Requesting ${first ?? last} records on the \`${name}\` connection exceeds the \`first\` limit of 100 records.`,
    );
  const begin = typeof after === "string" ? indexOf(after) + 1 : 0;
  const end = typeof before === "string" ? indexOf(before) : rows.length;
  const from = typeof last === "number" ? Math.max(begin, end - last) : begin;
  const to = typeof first === "number" ? Math.min(end, from + first) : end;
  const edges = rows.slice(from, to).map((node, at) => ({ node, cursor: cursorOf(from + at) }));
  return {
    ...{ edges, nodes: edges.map(({ node }) => node), totalCount: rows.length },
    pageInfo: {
      ...{ hasPreviousPage: from > 0, hasNextPage: to < rows.length },
      ...{ startCursor: edges[0]?.cursor ?? null, endCursor: edges.at(-1)?.cursor ?? null },
    },
  };
}

function cursorOf(index: number): string {
  return Buffer.from(`cursor:${index}`).toString("base64");
}

function indexOf(cursor: string): number {
  const index = Number(Buffer.from(cursor, "base64").toString().slice("cursor:".length));
  if (!Number.isInteger(index))
    throw refusal("INVALID_CURSOR_ARGUMENTS", `\`${cursor}\` does not appear to be a valid cursor.`);
  return index;
}
