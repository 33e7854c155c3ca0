import { GraphQLError } from "graphql";
import type { Needs } from "../operation.ts";

/** An error as GitHub gives it: with its `type` beside the message. */
export function refusal(type: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } });
}

/** The error's `type`; undefined: it is not one of GitHub's, but the stand-in does not do what was asked. */
export function typeOf({ extensions }: GraphQLError): string | undefined {
  const { type } = extensions;
  return typeof type === "string" ? type : undefined;
}

/** @throws GraphQLError when a token may not do something */
export function demand(may: Needs, needs: Needs): void {
  const lacking = Object.entries(needs).some(([scope, level]) => may[scope] !== "write" && may[scope] !== level);
  if (lacking) throw refusal("FORBIDDEN", "Resource not accessible by integration");
}

export function unknownNode(id: string): GraphQLError {
  return refusal("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'`);
}
