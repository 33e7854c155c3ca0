import { z } from "zod";
import { lazy } from "../os/lazy.ts";
import { count, object } from "./schema-parts.ts";

/** What the state keeps of how much a green verdict proves; part of `stateSchema`. */

const somePaths = { count, paths: z.array(z.string()) };

export const weakness = lazy(() =>
  z.discriminatedUnion("kind", [
    z.looseObject({ kind: z.literal("no_tests_ran") }),
    z.looseObject({ kind: z.literal("tests_unseen"), ...somePaths }),
    z.looseObject({ kind: z.literal("tests_deleted"), fewer: count, ...somePaths }),
    z.looseObject({ kind: z.literal("tests_emptied"), ...somePaths }),
    z.looseObject({
      kind: z.literal("newly_skipped"),
      count,
      skips: z.array(z.looseObject({ path: z.string(), marker: z.string() })),
    }),
  ]),
);

export const strength = object(() => ({
  weaknesses: z.array(weakness()),
  tampering: z
    .looseObject({ since: count, changed: z.looseObject(somePaths), scripts: z.looseObject(somePaths) })
    .nullable(),
  refused: count,
  counts: z.looseObject({ ran: count, skipped: count, exact: z.boolean() }).nullable(),
}));
