import { readTags, type Tag } from "./junit-tags.ts";
import { type Runner, type RunnerReport, summed } from "./runner.ts";

/** A test case whose end has not been read. */
interface Case {
  readonly name: string;
  status: "passed" | "failed" | "skipped";
}

/** The JUnit XML that most runners can write, where a check prints it. */
export const junitXml: Runner = {
  name: "JUnit XML",
  marks: ["<testsuite"],

  read({ text }) {
    const documents: RunnerReport[] = [];
    let document: Document | undefined;
    for (const tag of readTags(text)) {
      if (document === undefined && isSuite(tag) && tag.kind === "begin") document = new Document();
      document?.take(tag);
      if (document?.over === true) {
        documents.push(document.report());
        document = undefined;
      }
    }
    return summed(documents);
  },
};

function isSuite(tag: Tag): boolean {
  return tag.name === "testsuite" || tag.name === "testsuites";
}

/** From the outermost suite's begin to its end; without an end there is no report. */
class Document {
  #depth = 0;
  #case: Case | undefined;
  readonly #counts = { passed: 0, failed: 0, skipped: 0 };
  readonly #failing: string[] = [];

  get over(): boolean {
    return this.#depth === 0;
  }

  take(tag: Tag): void {
    if (isSuite(tag)) this.#depth += tag.kind === "end" ? -1 : Number(tag.kind === "begin");
    else if (tag.name === "testcase") this.#takeCase(tag);
    else if (this.#case !== undefined && tag.kind !== "end") {
      this.#case.status = this.#case.status === "failed" || tag.name !== "skipped" ? "failed" : "skipped";
    }
  }

  #takeCase(tag: Tag): void {
    if (tag.kind !== "end") this.#case = { name: nameOf(tag), status: "passed" };
    if (tag.kind === "begin" || this.#case === undefined) return;
    this.#counts[this.#case.status] += 1;
    if (this.#case.status === "failed") this.#failing.push(this.#case.name);
    this.#case = undefined;
  }

  report(): RunnerReport {
    return { ...this.#counts, failing: this.#failing, exact: true, early: false };
  }
}

function nameOf({ attributes }: Tag): string {
  const parts = ["file", "classname", "name"].map((key) => attributes.get(key) ?? "");
  return [...new Set(parts)].filter((part) => part !== "").join(" > ");
}
