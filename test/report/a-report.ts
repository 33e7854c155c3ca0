import type { LoopEvent } from "../../src/core/events.ts";
import { parseHTML } from "linkedom";
import { reportPage, type ReportMaterial } from "../../src/report/page.ts";
import { aProved, aVerdict, someFailing } from "../support/builders.ts";
import { aCheck, aView, settled, started, turnEnded, turnStarted } from "../views/a-state.ts";

/** Of an element what tests look at; the project has no types of a browser. */
interface Element {
  readonly id: string;
  readonly textContent: string;
  readonly outerHTML: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element> & ArrayLike<Element>;
}

/** A page as a browser without scripts reads it. */
export function parsed(source: string): Pick<Element, "querySelector" | "querySelectorAll"> & {
  getElementById(id: string): Element | null;
} {
  const { document } = parseHTML(source);
  return document;
}

/** Nothing is kept of an iteration. */
export const NO_TEXTS = { prompt: null, changes: null, checks: null, message: null } as const;

/** A text of which nothing is missing. */
export function whole(text: string) {
  return { text, leftOut: 0, part: "beginning" } as const;
}

/** Events one by one, as a store reads them. */
export async function* stream(events: readonly LoopEvent[]): AsyncGenerator<LoopEvent> {
  yield* events;
}

/** The page about a loop, with `overrides`. @param limit bytes */
export async function page(
  overrides: Partial<Omit<ReportMaterial, "events">> & { readonly events?: readonly LoopEvent[] } = {},
  limit?: number,
): Promise<string> {
  const { events = [started()], ...more } = overrides;
  const material = { view: aView(), withTexts: true, textsOf: async () => NO_TEXTS, ...more, events: stream(events) };
  return reportPage(material, limit);
}

/** The events of `count` iterations, each red but the last. */
export function iterations(count: number): readonly LoopEvent[] {
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((iteration) => [
    turnStarted(iteration),
    turnEnded({
      iteration,
      cost: 20_000,
      change: { files: 1, added: 3, removed: 1, stat: "a.ts | +3 -1", only_tests: false },
    }),
    aProved(iteration === count ? aVerdict("passed", [aCheck({ tail: said(iteration) })]) : red(said(iteration))),
    settled(iteration),
  ]);
}

function said(iteration: number): string {
  return `output of ${iteration}`;
}

function red(tail: string) {
  return aVerdict("failed", [aCheck({ exitCode: 1, tail, tests: someFailing(["a.test > adds"]) })]);
}
