import type { Problem } from "../core/errors.ts";
import type { Parsed } from "./parse.ts";
import { allowedIn, concerns, environmentName, type Setting } from "./setting.ts";

const SHOWN = 80;

/** A name that no setting has. */
export function unknownName(from: string, where: string, meant: string | undefined): Problem {
  const spelled = from === "environment" && meant !== undefined ? environmentName(meant) : meant;
  return {
    code: "SETTING_UNKNOWN",
    what: `${where}: there is no such setting.`,
    next: spelled === undefined ? "Remove it; --help lists every setting." : `Did you mean ${spelled}?`,
  };
}

/** A value that the setting does not accept. */
export function invalidValue(
  setting: Setting,
  where: string,
  raw: unknown,
  refusal: Extract<Parsed, { ok: false }>,
): Problem {
  return {
    code: "SETTING_INVALID",
    what: `${where}: expected ${refusal.expected}, got ${setting.secret ? "something else" : shown(raw)}.`,
    next: refusal.cure === undefined ? `${setting.name}: ${setting.help}` : `Instead, ${refusal.cure}.`,
  };
}

/** An empty value where that cannot be meant (W-37: an empty promise is found in every message). */
export function emptyValue(setting: Setting, where: string): Problem {
  const usual = setting.default;
  return {
    code: "SETTING_EMPTY",
    what: `${where}: expected a text, got an empty one, which would be found everywhere.`,
    next: `Give ${setting.name} a text of its own, or remove it${typeof usual === "string" ? ` to get "${usual}"` : ""}.`,
  };
}

/** A flag without the command that was meant to prove the work: nothing would. */
export function noCommand(where: string): Problem {
  return {
    code: "SETTING_EMPTY",
    what: `${where}: expected a command, got none, and nothing would prove the work.`,
    next: `Say the command (a shell's variable may be empty), or leave ${where} out.`,
  };
}

/** A setting in a place where it cannot be given. */
export function misplaced(setting: Setting, where: string): Problem {
  const places = [
    ...(allowedIn(setting, "flag") ? [`--${setting.name}`] : []),
    ...(allowedIn(setting, "environment") ? [environmentName(setting.name)] : []),
  ];
  return {
    code: "SETTING_MISPLACED",
    what: `${where}: ${setting.name} cannot be set here.`,
    next: concerns(setting, "command-line")
      ? `Set it with ${places.join(" or ")}.`
      : `It only means something to the Action: set its input ${setting.name} there.`,
  };
}

/** A secret where other people can read it. Its value must not be repeated. */
export function secretShown(setting: Setting, where: string): Problem {
  return {
    code: "SECRET_SHOWN",
    what: `${where}: ${setting.name} is a secret; here other programs and other people could read it. It was not used.`,
    next: `Set the environment variable ${environmentName(setting.name)}, and replace the key if it was stored anywhere.`,
  };
}

/** One setting under two of its names. */
/** Of two texts, one would be lost without a word. */
export function saidAgain({ name }: Setting, where: string): Problem {
  return {
    code: `${name.toUpperCase().replaceAll("-", "_")}_TWICE`,
    what: `${where}: there are two texts for ${name}, and only one can count.`,
    next: name === "loop-id" ? "Keep one of them." : "Keep one of them; a prompt of several words goes into quotes.",
  };
}

export function twice(setting: Setting, first: string, second: string): Problem {
  return {
    code: "SETTING_TWICE",
    what: `${first} and ${second} are the same setting.`,
    next: `Keep one of them, best ${setting.name}.`,
  };
}

function shown(raw: unknown): string {
  const text = JSON.stringify(raw) ?? String(raw);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
