import { type DocumentNode, execute, type GraphQLError, Kind } from "graphql";
import { z } from "zod";
import type { Answer } from "../operation.ts";
import { mutations } from "./mutations.ts";
import { type Asked, comment, repository, review, rowOf, subject } from "./objects.ts";
import { typeOf } from "./refusals.ts";
import { githubSchema, validated } from "./schema.ts";

const Question = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});

/** A query as it came, and what GitHub's schema finds wrong with it. */
export interface Query {
  /** what is first asked for: `graphql/addComment` */
  readonly name: string;
  readonly problems: readonly string[];
  readonly document: DocumentNode | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Whether GraphQL is at this place: GitHub's own servers have it at the first, others at the second. */
export function isGraphql(method: string, pathname: string): boolean {
  return method === "POST" && (pathname === "/graphql" || pathname === "/api/graphql");
}

export function readQuery(body: unknown): Query {
  const { query, variables } = Question.parse(body);
  try {
    const { document, problems } = validated(query);
    return { name: `graphql/${firstField(document)}`, problems, document, variables: variables ?? {} };
  } catch (error) {
    return { name: "graphql", problems: [String(error)], document: null, variables: variables ?? {} };
  }
}

function firstField({ definitions }: DocumentNode): string {
  for (const definition of definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const [field] = definition.selectionSet.selections;
    if (field?.kind === Kind.FIELD) return field.name.value;
  }
  return "";
}

/** Does what a query says. Whatever we do not know how to do is added to `problems`. */
export async function answerQuery(query: Query, asked: Asked, problems: string[]): Promise<Answer> {
  const { name, document, variables } = query;
  problems.push(...query.problems.map((problem) => `${name}: ${problem}`));
  if (document === null || query.problems.length > 0)
    return { status: 200, body: { errors: query.problems.map((message) => ({ message })) } };
  const rootValue = { ...queries(asked), ...mutations(asked) };
  const { data, errors = [] } = await execute({
    schema: githubSchema(),
    document,
    rootValue,
    variableValues: variables,
  });
  for (const error of errors) if (typeOf(error) === undefined) problems.push(`${name}: ${error.message}`);
  return { status: 200, body: errors.length === 0 ? { data } : { data: data ?? null, errors: errors.map(shown) } };
}

/** GitHub gives the kind of an error beside its message. */
function shown(error: GraphQLError) {
  const { message, path, locations } = error;
  return { ...(typeOf(error) === undefined ? {} : { type: typeOf(error) }), path, locations, message };
}

function queries(asked: Asked): Readonly<Record<string, unknown>> {
  return {
    // Here, and only here, a bot keeps its suffix.
    viewer: { __typename: "User", login: asked.login, id: `U_${asked.login}` },
    repository: (args: { readonly owner: string; readonly name: string }) => repository(asked, args),
    node: ({ id }: { readonly id: string }) => {
      const row = rowOf(asked, id);
      if ("issue" in row) return subject(asked, row.issue);
      return "comment" in row ? comment(asked, row.comment) : review(asked, row.review);
    },
  };
}
