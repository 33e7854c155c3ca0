import { fromSpec, type Imported } from "../../../src/setup/spec/from-spec.ts";

/** A spec's text as the three control files, and what was said of it. */
export function imported(
  text: string,
): { readonly prompt: string; readonly plan: string; readonly agent: string } & Imported {
  const made = fromSpec({ text, shown: "docs/spec.md", path: "specs/spec.md" });
  const [prompt = "", plan = "", agent = ""] = made.files.map((file) => file.text);
  return { ...made, prompt, plan, agent };
}

/** The plan without what comes before its first heading. */
export function work(text: string): string {
  const { plan } = imported(text);
  return plan.slice(plan.indexOf("\n## ") + 1);
}
