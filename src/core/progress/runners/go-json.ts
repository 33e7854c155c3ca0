import { goPackage, type GoStatus } from "./go-package.ts";
import { type Runner, type RunnerReport, summed } from "./runner.ts";

/** One line of `go test -json`. */
interface GoEvent {
  readonly action: string;
  readonly package: string;
  readonly test: string | undefined;
}

/** go test -json. */
export const goJson: Runner = {
  name: "go test",
  marks: ['"Action":"'],

  read({ lines, cut }) {
    const packages: RunnerReport[] = [];
    const open = new Map<string, Map<string, GoStatus>>();
    for (const line of lines) {
      const event = line.startsWith('{"') && line.includes('"Action":"') ? eventOf(line) : undefined;
      if (event === undefined) continue;
      const tests = open.get(event.package) ?? new Map<string, GoStatus>();
      open.set(event.package, tests);
      if (!isStatus(event.action)) continue;
      if (event.test !== undefined) {
        tests.set(event.test, event.action);
        continue;
      }
      packages.push({ ...goPackage(event.package, event.action, tests), exact: true });
      open.delete(event.package);
    }
    const report = open.size > 0 ? null : summed(packages);
    return report === null ? null : { ...report, early: report.early || cut };
  },
};

function isStatus(action: string): action is GoStatus {
  return action === "pass" || action === "fail" || action === "skip";
}

function eventOf(line: string): GoEvent | undefined {
  const value = parsed(line);
  if (typeof value !== "object" || value === null) return undefined;
  const { Action: action, Package: name, Test: test } = Object.fromEntries(Object.entries(value));
  if (typeof action !== "string" || typeof name !== "string") return undefined;
  return { action, package: name, test: typeof test === "string" ? test : undefined };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
