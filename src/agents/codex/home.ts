import { homedir } from "node:os";
import path from "node:path";

/** The folder where Codex has its configuration and its sessions, by the environment that it is started with. */
export function codexHome(env: Readonly<Record<string, string | undefined>>): string {
  return env["CODEX_HOME"] ?? path.join(env["HOME"] ?? homedir(), ".codex");
}
