import type { Finding } from "./finding.ts";
import { APPROVAL_ON_FAILURE, DANGER_IS_SAID, PROVIDER_HAS_ITS_PART, SANDBOX_ALLOWS_THE_WORK } from "./rules/agent.ts";
import { ENCRYPTION_HAS_ITS_KEY } from "./rules/carrying.ts";
import { CI_SEES_THE_WORK } from "./rules/ci.ts";
import { TIME_FOR_AN_ITERATION } from "./rules/limits.ts";
import {
  ONE_SUCCESS_CHECK,
  PATTERN_IS_USABLE,
  PLAIN_PROMISE_IS_LONG,
  PROMISE_IS_LOOKED_FOR,
  SOMETHING_ENDS_THE_LOOP,
} from "./rules/promise.ts";
import type { Judged, Rule } from "./rules/rule.ts";
import { propertyName } from "./setting.ts";

/** The rules over several settings, in the order in which people read what they find. */
const RULES: readonly Rule[] = [
  DANGER_IS_SAID,
  SANDBOX_ALLOWS_THE_WORK,
  PROVIDER_HAS_ITS_PART,
  SOMETHING_ENDS_THE_LOOP,
  PATTERN_IS_USABLE,
  PLAIN_PROMISE_IS_LONG,
  PROMISE_IS_LOOKED_FOR,
  ONE_SUCCESS_CHECK,
  APPROVAL_ON_FAILURE,
  TIME_FOR_AN_ITERATION,
  ENCRYPTION_HAS_ITS_KEY,
  CI_SEES_THE_WORK,
];

/** Holds the settings against every rule, except those about a setting whose value was `refused` (by name). */
export function judge(judged: Judged, refused: ReadonlySet<string>): readonly Finding[] {
  const unclear = new Set([...refused].map((name) => propertyName(name)));
  return RULES.filter((rule) => !rule.about.some((property) => unclear.has(property))).flatMap((rule) =>
    rule.judge(judged),
  );
}
