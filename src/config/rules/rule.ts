import type { Config } from "../config.ts";
import type { Finding } from "../finding.ts";
import type { Surface } from "../setting.ts";
import type { Source } from "../source.ts";

export type Sources = Readonly<Record<keyof Config, Source>>;

/** What a rule looks at. */
export interface Judged {
  readonly config: Config;
  readonly sources: Sources;
  readonly surface: Surface;
}

/** A rule over several settings. It is not asked while one of the settings it is about has a mistake of its own. */
export interface Rule {
  readonly about: readonly (keyof Config)[];
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
