/**
 * Where post begins. It is shipped as one file that needs no other, and looks at all the others before it loads them:
 * between main and post an agent that is not isolated can write to the Action's folder.
 *
 * It cannot look at itself, nor at what the process has loaded before it (`NODE_OPTIONS`, `LD_PRELOAD`), and a process
 * that rewrites a file between its reading here and its loading is not noticed. All of that is for isolation to prevent.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The SHA-256 of each file of the Action that post and the programs it starts are made of; the build puts them here. */
declare const SHIPPED: Readonly<Record<string, string>>;

function isAsShipped(name: string, digest: string): boolean {
  try {
    const file = readFileSync(new URL(`../../${name}`, import.meta.url));
    return createHash("sha256").update(file).digest("hex") === digest;
  } catch {
    return false;
  }
}

const changed = Object.entries(SHIPPED).filter(([name, digest]) => !isAsShipped(name, digest));
if (changed.length === 0) {
  const program: { readonly post: () => Promise<unknown> } = await import(
    new URL("../job/index.js", import.meta.url).href
  );
  await program.post();
} else {
  const [[name] = [""]] = changed;
  const others = changed.length === 1 ? "" : `, and ${changed.length - 1} more`;
  process.stdout.write(
    `::error::The Action's ${name} is not the file that was shipped${others}: something that ran in this job has changed it. None of it was loaded, so nothing was published or saved after the main step; what was kept while the loop ran is unharmed. Do not trust what this job did after that, look at what the agent and its checks can write, and run the workflow again on a fresh machine.\n`,
  );
  process.exitCode = 1;
}
