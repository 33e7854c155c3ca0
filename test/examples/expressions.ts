import { data, Evaluator, Lexer, Parser } from "@actions/expressions";
import { truthy } from "@actions/expressions/result";

/** What expressions can name: `github`, `inputs`, `secrets`, `vars`. */
export type Contexts = Readonly<Record<string, unknown>>;

const EXPRESSION = /\$\{\{(?<inside>.*?)\}\}/gsu;

/** Whether a job or step with this `if:` runs; without one it does. */
export function holds(condition: string | undefined, contexts: Contexts): boolean {
  if (condition === undefined) return true;
  const bare = /^\s*\$\{\{(?<inside>.*)\}\}\s*$/su.exec(condition)?.groups?.["inside"] ?? condition;
  // Whether the jobs that it needs have failed is asked before it.
  return truthy(evaluate(bare.replaceAll("always()", "true"), contexts));
}

/** A text with every `${{ … }}` in it replaced, by GitHub's own evaluator. */
export function filled(text: string, contexts: Contexts): string {
  return text.replaceAll(EXPRESSION, (_, inside: string) => evaluate(inside, contexts).coerceString());
}

/** What one `${{ … }}` is, as it is. */
export function valueOf(text: string, contexts: Contexts): unknown {
  const inside = /^\s*\$\{\{(?<inside>.*)\}\}\s*$/su.exec(text)?.groups?.["inside"] ?? "''";
  return JSON.parse(JSON.stringify(evaluate(inside, contexts), data.replacer));
}

function evaluate(expression: string, contexts: Contexts): data.ExpressionData {
  const known: unknown = JSON.parse(JSON.stringify(contexts), data.reviver);
  if (!(known instanceof data.Dictionary)) throw new Error("contexts are an object");
  const { tokens } = new Lexer(expression).lex();
  return new Evaluator(new Parser(tokens, Object.keys(contexts), []).parse(), known).evaluate();
}
