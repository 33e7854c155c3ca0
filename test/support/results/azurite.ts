import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Readable } from "node:stream";

const PROGRAM = path.join(import.meta.dirname, "../../../node_modules/azurite/dist/src/blob/main.js");

/** Ends it with whoever has started it, also when that one is killed. */
const WITH_ITS_PARENT = "data:text/javascript,process.stdin.resume().on('end',()=>process.exit())";

/** A running Azurite; it is killed when its scope ends. */
export interface Azurite extends AsyncDisposable {
  readonly port: number;
}

/** Starts Azurite, Microsoft's own stand-in for its blob store, with everything in memory. Takes about a second. */
export async function startAzurite(): Promise<Azurite> {
  const child = spawn(
    process.execPath,
    [
      ...["--import", WITH_ITS_PARENT, PROGRAM, "--blobHost", "127.0.0.1", "--blobPort", "0", "--silent"],
      ...["--inMemoryPersistence", "--skipApiVersionCheck", "--disableTelemetry"],
    ],
    { stdio: ["pipe", "pipe", "inherit"], env: { PATH: process.env["PATH"] } },
  );
  const port = await listeningPort(child.stdout);
  return {
    port,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

/** A port of its own choosing, which it tells in a line. */
async function listeningPort(stdout: Readable): Promise<number> {
  let said = "";
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    const port = /successfully listens on http:\S+:(\d+)/u.exec(said)?.[1];
    if (port !== undefined) {
      stdout.resume();
      return Number(port);
    }
  }
  throw new Error(`Azurite did not start: ${said}`);
}
