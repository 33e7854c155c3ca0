import { listed } from "../blocks/list.ts";
import { bullets, code, heading, link, paragraph, strong, table, text, type Block } from "../markdown.ts";
import type { RunView } from "../run-view.ts";
import type { JobFacts } from "./facts.ts";

const NOTICES = 50;

export function noticeBlocks({ notices }: JobFacts): Block[] {
  if (notices.length === 0) return [];
  const items = notices.map((notice) => [text(notice)]);
  return [heading(3, "Notices"), listed(items, NOTICES, "see the log of the job")];
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
