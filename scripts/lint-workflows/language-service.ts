import { validate, type ActionsMetadataProvider } from "@actions/languageservice";
import { TextDocument } from "vscode-languageserver-textdocument";
import { type LintDocument, type Mistake, OURS } from "./document.ts";

type Metadata = Awaited<ReturnType<ActionsMetadataProvider["fetchActionMetadata"]>>;

/** It does not look into an action of the same repository, only into those that have a name. */
const OWN_ACTION = /^(?<before>\s*(?:-\s+)?uses:\s*)\.\/\s*(?<after>#.*)?$/gmu;

/**
 * GitHub's own language service. With `action.yml` it knows our inputs, also behind `uses: ./`.
 *
 * @param metadata our `action.yml`, parsed
 * @param name different for every document, because the service remembers them
 */
export async function checkWithLanguageService(
  document: LintDocument,
  name: string,
  metadata: Metadata,
): Promise<readonly Mistake[]> {
  const uri = document.kind === "action" ? `file:///${name}/action.yml` : `file:///${name}.yml`;
  const text = document.text.replaceAll(OWN_ACTION, `$<before>${OURS} $<after>`);
  const found = await validate(TextDocument.create(uri, "yaml", 1, text), {
    actionsMetadataProvider: provider(metadata),
  });
  return found.map(({ range, message }) => ({
    line: range.start.line + 1,
    column: range.start.character + 1,
    message: typeof message === "string" ? message : message.value,
  }));
}

/** Of foreign actions nothing is known without asking the network, so their inputs are not judged. */
function provider(ours: Metadata): ActionsMetadataProvider {
  return {
    fetchActionMetadata: async ({ owner, name }) =>
      owner === "smithers" && name === "loop" ? ours : { name, description: "" },
  };
}
