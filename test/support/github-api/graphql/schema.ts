import { readFileSync } from "node:fs";
import { buildSchema, type DocumentNode, type GraphQLSchema, parse, validate } from "graphql";

// The package's own way to its text parses five megabytes of JSON first.
const FILE = new URL("schema.graphql", import.meta.resolve("@octokit/graphql-schema"));

let built: GraphQLSchema | undefined;

/** GitHub's public schema. Building it takes some tenths of a second: once a process, when it is first needed. */
export function githubSchema(): GraphQLSchema {
  built ??= buildSchema(readFileSync(FILE, "utf8"), { assumeValidSDL: true, noLocation: true });
  return built;
}

/** What is wrong with a query by that schema, one line each. */
export function queryProblems(query: string): readonly string[] {
  try {
    return validated(query).problems;
  } catch (error) {
    return [String(error)];
  }
}

/** @throws GraphQLError for what is not GraphQL */
export function validated(query: string): { readonly document: DocumentNode; readonly problems: readonly string[] } {
  const document = parse(query);
  return { document, problems: validate(githubSchema(), document).map(({ message }) => message) };
}
