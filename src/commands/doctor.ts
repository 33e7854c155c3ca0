import { agentFindings } from "../agents/registry.ts";
import { resolveSettings, type Resolved } from "../config/resolve.ts";
import { UsageError } from "../core/errors.ts";
import { systemClock } from "../os/clock.ts";
import { counted } from "../views/amounts.ts";
import { type Finding, findingLines, gapsIn } from "../views/gaps.ts";
import { locate, type Location } from "../app/locate.ts";
import { marksOf, placeOf } from "../store/place.ts";
import { settingPlaces } from "../app/setting-places.ts";
import { printJson, type Shell } from "../app/shell.ts";
import type { Command, Invocation } from "../app/command.ts";
import { githubDoctor } from "./doctor-github.ts";
import { workspaceFindings } from "./doctor-workspace.ts";

/** What its help ends with. */
export const DOCTOR_HELP = `It takes the settings of a run and looks at what such a run would need: git and a repository, a work tree
without changes where the loop commits, the agent's program, its sandbox and its login, and .smithers.toml.
With a token and an origin on GitHub also whether you may push and see pull requests, whether GitHub Actions
may open them, and the clock. Every GAP says what closes it; what cannot be known is no gap.

Examples:
  smithers doctor                           what a run without flags would lack
  smithers doctor --full-auto --commit end  what this run would lack
  GH_TOKEN="$(gh auth token)" smithers doctor
                                            the same, with what GitHub says

Exit codes: 0 nothing is missing, 1 something is, 64 bad usage.`;

/** Of no loop: nothing is kept under it. */
const LOOP_ID = "doctor";

/**
 * `smithers doctor`: looks whether everything is here that a loop with these settings needs, and says of each gap what
 * closes it. Writes nothing, starts no loop, spends nothing. Exits 1 when something is missing; what cannot be known is
 * never missing.
 */
export const doctor: Command = async (invocation, shell) => {
  const location = await locate(invocation.flags, shell);
  const { resolved, findings: ofSettings } = settingsOf(location, invocation, shell);
  const { config } = resolved;
  const place = placeOf(location.root, LOOP_ID, null);
  const context = { config, workspaceRoot: place.root, folder: place.folder, mark: marksOf(place).agent };
  const found = await Promise.all([
    workspaceFindings(place, config),
    agentFindings({ ...context, env: shell.env, clock: systemClock }).catch(asFindings),
    githubDoctor(place.root, config, shell),
  ]);
  const findings = [...ofSettings, ...found.flat()];
  const gaps = gapsIn(findings).length;
  if (invocation.json) printJson(shell, asJson(findings));
  else shell.stdout.write(`${[...findingLines(findings), "", endingOf(gaps, shell)].join("\n")}\n`);
  return gaps === 0 ? 0 : 1;
};

/**
 * What the settings are; where a file with settings is wrong, without such files.
 *
 * @throws UsageError for what was said on the command line or in the environment
 */
function settingsOf(
  { configFile, foreign }: Location,
  { flags }: Invocation,
  shell: Shell,
): { readonly resolved: Resolved; readonly findings: readonly Finding[] } {
  const places = settingPlaces(flags, shell);
  const withoutFile = resolveSettings(places);
  const file = configFile === undefined ? {} : { file: configFile };
  const paths = [...Object.values(file), ...foreign].map((each) => each.path);
  if (paths.length === 0) return { resolved: withoutFile, findings: [] };
  const there = paths.map((subject): Finding => ({
    subject,
    right: { right: "there" },
    permission: null,
    blocks: true,
  }));
  try {
    return { resolved: resolveSettings({ ...places, ...file, foreign }), findings: there };
  } catch (error) {
    const subject = paths.join(", ");
    return { resolved: withoutFile, findings: asFindings(error).map((row) => ({ ...row, subject })) };
  }
}

/** What somebody can put right is a gap; anything else is a bug. */
function asFindings(error: unknown): readonly Finding[] {
  if (!(error instanceof UsageError)) throw error;
  return error.problems.map(({ what, next }) => ({
    subject: "the agent",
    right: { right: "missing", why: what.replace(/\.$/u, ""), next },
    permission: null,
    blocks: true,
  }));
}

function endingOf(gaps: number, { program }: Shell): string {
  if (gaps > 0) return `${counted(gaps, "gap")} to close. Then look again with ${program} doctor.`;
  return `Nothing is missing. Try it: ${program} "<what the agent has to do>" --dry-run`;
}

function asJson(findings: readonly Finding[]): object {
  const rows = findings.map(({ subject, right }) => ({
    subject,
    state: right.right === "readable" ? "there" : right.right,
    why: "why" in right ? right.why : "",
    next: "next" in right ? right.next : "",
  }));
  return { schema: 1, ok: gapsIn(findings).length === 0, findings: rows };
}
