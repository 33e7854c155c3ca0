import { expect, test } from "vitest";
import * as queries from "../../src/github/queries.ts";
import { queryProblems } from "../support/github-api/graphql/schema.ts";

test.for(Object.entries(queries))("%s is a query of GitHub's public schema", ([, query]) => {
  expect(queryProblems(query)).toEqual([]);
});

test("a query that GitHub would not take is found", () => {
  expect(queryProblems("query { repository { nonsense } }")).not.toEqual([]);
});
