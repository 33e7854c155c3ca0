// All paths are relative to the workspace, with slashes.

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Folders that hold tests and what tests are made from, whatever their files are called; in lower case. */
const FOLDERS = words("__tests__ __mocks__ __snapshots__ e2e cypress fixtures testdata");
/** Folders of what others have written: packages that were installed. In lower case. */
const INSTALLED = words("node_modules bower_components site-packages .venv venv .tox");
/** `tests`, `unit-tests`, `app.Tests`, `test_utils`; not `contest`. */
const FOLDER = /(?:^|[._-])(?:tests?|specs?)(?:$|[._-])/iu;
/** `androidTest`, `AppTests`. */
const CAMEL_FOLDER = /[a-z\d](?:Tests?|Specs?)$/u;

/** `a.test.ts`, `a_test.go`, `a-spec.js`, `a_spec.rb`, `a.cy.ts`, `a.test-d.ts`. */
const SUFFIXED = /[._-](?:tests?|specs?|e2e|cy|test-d)$/iu;
/** `test_a.py`, `test-a.js`, `test.js`, `spec.rb`. */
const PREFIXED = /^(?:tests?|specs?)(?:$|[._-])/iu;
/** `ATest.java`, `ATests.cs`, `ASpec.scala`, `AIT.java`, `TestA.java`. */
const CAMEL = /(?:^|[a-z\d])(?:Tests?|TestCase|Spec|Specs|IT)$|^Test[A-Z]/u;

/** Languages whose tests are named by words in capitals. */
const CAMEL_LANGUAGES = words("java kt kts groovy scala cs fs vb swift php m mm cpp cc hs dart");
const TEST_LANGUAGES = words("bats feature snap");
const PROSE = words("md mdx txt rst adoc html pdf");

const CODE =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kts?|groovy|scala|cs|fs|vb|swift|php|rb|exs?|erl|cljs?|clj|c|cc|cpp|m|mm|dart|lua|pl|t|jl|hs|ml|nim|zig|sh|bats|feature|vue|svelte)$/iu;
/** Folders of tests that hold no tests. In lower case. */
const HELPERS = words(
  "fixtures __fixtures__ testdata __mocks__ mocks __snapshots__ snapshots support helpers stubs golden resources",
);

/** Whether a file belongs to an installed package, so that its tests are not part of the work. */
export function isInstalled(path: string): boolean {
  const folders = path.toLowerCase().split("/");
  return folders.some((folder) => INSTALLED.has(folder));
}

/**
 * Whether a file is a test or something that tests are made from, by the conventions of the common languages. Documents
 * about tests are not.
 */
export function isTestPath(path: string): boolean {
  if (isInstalled(path)) return false;
  const folders = path.split("/").slice(0, -1);
  return folders.some(isTestFolder) || isNamedTest(path);
}

/**
 * Whether a file holds tests, and not only what they are made from: its going or its shrinking takes proof away (C21).
 */
export function holdsTests(path: string): boolean {
  const folders = path.toLowerCase().split("/").slice(0, -1);
  return isTestPath(path) && CODE.test(path) && !folders.some((folder) => HELPERS.has(folder));
}

/** Whether a file is named like a test, in any folder. */
export function isNamedTest(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  const stem = dot === -1 ? name : name.slice(0, dot);
  const language = dot === -1 ? "" : name.slice(dot + 1).toLowerCase();
  if (language === "" || PROSE.has(language)) return false;
  if (TEST_LANGUAGES.has(language) || name === "conftest.py") return true;
  if (SUFFIXED.test(stem) || PREFIXED.test(stem)) return true;
  return CAMEL_LANGUAGES.has(language) && CAMEL.test(stem);
}

function isTestFolder(folder: string): boolean {
  return FOLDERS.has(folder.toLowerCase()) || FOLDER.test(folder) || CAMEL_FOLDER.test(folder);
}
