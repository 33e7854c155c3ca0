import type { Problem } from "../core/errors.ts";
import type { Config, Sources } from "./config.ts";
import type { Surface } from "./setting.ts";

/** What looking at several settings together brings up: a mistake, or something a person should know. */
export type Finding = { readonly problem: Problem } | { readonly notice: string };

/** How a person sets `name` on `surface`: `--sandbox read-only`, `--full-auto`; `sandbox: read-only` in the Action. */
export function spelling(surface: Surface, name: string, value: string): string {
  if (surface === "action") return `\`${name}: ${value}\``;
  return value === "on" ? `--${name}` : `--${name} ${value}`;
}

/** What a rule looks at. */
export interface Judged {
  readonly config: Config;
  readonly sources: Sources;
  readonly surface: Surface;
}

/** A rule over several settings. It is skipped while one of its settings has a mistake of its own. */
export interface Rule {
  readonly about: readonly (keyof Sources)[];
  readonly judge: (judged: Judged) => readonly Finding[];
}

/** What a rule returns when a person made a mistake. */
export function problem(code: string, what: string, next: string): readonly Finding[] {
  return [{ problem: { code, what, next } }];
}

/** What a rule returns when a person should know something. */
export function notice(text: string): readonly Finding[] {
  return [{ notice: text }];
}
