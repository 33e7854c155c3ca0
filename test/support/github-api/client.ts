import { Octokit } from "@octokit/rest";
import { bind, type Github } from "../../../src/github/client.ts";
import type { GithubApi } from "./server.ts";

/** A client of the stand-in that neither paces its writes nor asks again, which otherwise takes seconds. */
export function clientOf(api: Pick<GithubApi, "url">, token = "t"): Octokit {
  const silent = () => {};
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  return new Octokit({ auth: token, baseUrl: api.url, userAgent: "test", log });
}

/** The stand-in's repository through such a client. */
export function githubOf(api: Pick<GithubApi, "url" | "world">, signal: AbortSignal, token = "t"): Github {
  const { owner, name, id } = api.world.repository;
  return bind(clientOf(api, token), { owner, name, id }, signal);
}

/** What a request is refused with: the status and the whole message, as the client has it; "done" if it is not. */
export async function refusalTo(doing: Promise<unknown>): Promise<string> {
  try {
    await doing;
    return "done";
  } catch (error) {
    const status = error instanceof Error && "status" in error ? `${String(error.status)} ` : "";
    return status + (error instanceof Error ? error.message : String(error));
  }
}
