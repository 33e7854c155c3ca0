import type { Problem } from "../core/errors.ts";

/** What looking at several settings together brings up: a mistake, or something a person should know. */
export type Finding = { readonly problem: Problem } | { readonly notice: string };
