import { grouped } from "../amounts.ts";
import {
  bullets,
  code,
  fence,
  folded,
  heading,
  link,
  paragraph,
  strong,
  table,
  text,
  type Block,
} from "../markdown.ts";
import { lastLines } from "../plain-text.ts";
import { proofOf } from "../proof.ts";
import type { RunView } from "../run-view.ts";
import { books, sinceTheBeginning } from "../summary.ts";
import type { JobFacts } from "./facts.ts";

const NOTICES = 50;
const OUTPUT_LINES = 200;

/** What the loop has used and changed so far. */
export function bookBlocks(view: RunView): Block[] {
  const lines = [...books(view).map((line) => line.text), sinceTheBeginning(view)];
  return [heading(3, "Totals"), bullets(lines.map((line) => [text(line)]))];
}

export function noticeBlocks({ notices }: JobFacts): Block[] {
  if (notices.length === 0) return [];
  const rest = notices.length - NOTICES;
  const more = rest > 0 ? [[text(`${grouped(rest)} more: see the log of the job.`)]] : [];
  return [heading(3, "Notices"), bullets([...notices.slice(0, NOTICES).map((notice) => [text(notice)]), ...more])];
}

/** What the last red check said (W-39). */
export function outputBlocks({ state }: RunView): Block[] {
  const { failing } = proofOf(state);
  const tail = lastLines(failing?.tail ?? "", OUTPUT_LINES);
  if (failing === null || tail.length === 0) return [];
  return folded("Last output of the failing check", [paragraph(code(failing.command)), fence("text", tail.join("\n"))]);
}

export function fileBlocks({ change }: RunView): Block[] {
  const stat = lastLines(change?.stat ?? "", OUTPUT_LINES);
  return stat.length === 0 ? [] : folded("Changed files", [fence("text", stat.join("\n"))]);
}

/** Where the loop is kept for the next machine, and where people find more. */
export function placeBlocks({ state }: RunView, { carriers, runUrl, artifactUrl }: JobFacts): Block[] {
  const links = [
    ...(runUrl === null ? [] : [[link("This run", runUrl)]]),
    ...(artifactUrl === null ? [] : [[link("Artifact: events, messages and summary.json", artifactUrl)]]),
  ];
  const rows = carriers.map(({ name, saved, detail }) => [text(name), text(saved ? "yes" : "no"), text(detail)]);
  return [
    ...(rows.length === 0
      ? []
      : [
          heading(3, "Kept for the next run"),
          table([null, null, null], [[strong("Where"), strong("Saved"), strong("Detail")], ...rows]),
        ]),
    paragraph(text("Loop"), code(state.loop_id), text(`generation ${state.generation}, revision ${state.revision}.`)),
    ...(links.length === 0 ? [] : [bullets(links)]),
  ];
}
