import { parseRecord } from "../store/carried-record.ts";
import { resolveSettings } from "../config/resolve.ts";
import { UsageError } from "../core/errors.ts";
import { githubAccess } from "../github/access.ts";
import type { GithubContext } from "../github/context.ts";
import type { LoopLookup } from "./find-loop.ts";
import { KILL_SWITCH } from "../github/kill-switch.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { parseState } from "../store/codec.ts";
import { maskSecrets } from "../store/redaction.ts";
import { isClosing } from "./clean-up-job.ts";
import { relay } from "./relay.ts";

const WITHIN_MS = 120_000;

/**
 * Hands on what an event asks of a loop, or clears up behind one whose pull request was closed. Only the settings are
 * read: no file of the repository, which need not be checked out, and no prompt.
 *
 * @returns the exit code: 1 when what somebody may ask for could not be handed on
 */
export async function runRelay(
  env: Readonly<Record<string, string | undefined>>,
  log: RunnerLog,
  context: GithubContext,
): Promise<number> {
  const { config } = resolveSettings({ flags: {}, env, inputs: env });
  maskSecrets(config, log);
  const { githubToken: token, branch, relayTo, allowedBots } = config;
  const access = await githubAccess(token, context)?.within(WITHIN_MS);
  if (token === null || access === undefined) throw noToken();
  const lookup: LoopLookup = { branch, parse: (json, where) => parseRecord(json, where, parseState) };
  if (isClosing(context)) {
    return (await import("./clean-up.ts")).runCleanUp({ context, access, log, lookup }, token);
  }
  return relay({ context, access, log, lookup, relayTo, allowedBots, disabled: env[KILL_SWITCH] ?? null });
}

function noToken(): UsageError {
  return new UsageError([
    {
      code: "NO_TOKEN",
      what: "There is no github-token, so nobody can be asked who may do what. Nothing was done.",
      next: "Leave the input github-token out, so that the workflow's own token is used.",
    },
  ]);
}
