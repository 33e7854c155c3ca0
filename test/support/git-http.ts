import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { buffer } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { readPush, refusePush } from "./push-rules/receive-pack.ts";
import { WorkflowGuard, workflowRefusal } from "./push-rules/workflow-rule.ts";
import { tempFolder } from "./temp-folder.ts";

const run = promisify(execFile);

/** What `git init --bare` writes, and how GitHub's repositories behave. */
const settingsFor = (objectFormat: string): string => `[core]
	repositoryformatversion = ${objectFormat === "sha1" ? 0 : 1}
	filemode = true
	bare = true
	fsync = none
	logAllRefUpdates = always
${objectFormat === "sha1" ? "" : `[extensions]\n\tobjectformat = ${objectFormat}\n`}[uploadpack]
	allowReachableSHA1InWant = true
	allowFilter = true
[receive]
	autogc = false
`;

/** A request as the server saw it. */
interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
}

/** What the server does to a request instead of answering it: an answer of its own, silence, or a closed connection. */
export type Fault =
  | { readonly status: number; readonly text: string; readonly headers?: Readonly<Record<string, string>> }
  | "hang"
  | "drop";

/** A real git repository behind git's own smart-HTTP server on 127.0.0.1; gone when its scope ends. */
export interface GitHttp extends AsyncDisposable {
  /** of the repository, as a person would give it, without `.git` */
  readonly url: string;
  /** the bare repository's folder */
  readonly folder: string;
  /** may read and write; the same for every server, unless somebody gives this one its own */
  writeToken: string;
  /** may only read */
  readonly readToken: string;
  /** these may write workflow files as well, which the job's own token never may */
  readonly workflowTokens: Set<string>;
  /** what refuses workflow files to the others */
  readonly workflows: WorkflowGuard;
  /** what any other token may do, by permission; undefined, absent: it is not known */
  rightsOf: ((token: string) => Readonly<Record<string, "read" | "write">> | undefined) | undefined;
  readonly requests: SeenRequest[];
  /** asked for every request */
  fault: ((request: SeenRequest) => Fault | undefined) | undefined;
  /** Runs git in the bare repository; stdout without the final newline. */
  git(...args: string[]): Promise<string>;
  /** Makes a hook of the bare repository: a shell script; "" does nothing. */
  hook(name: string, script: string): Promise<void>;
}

/** Starts a server with one empty repository, which answers as GitHub does. */
export async function gitHttp(objectFormat: "sha1" | "sha256" = "sha1"): Promise<GitHttp> {
  const root = await tempFolder("remote-");
  const folder = path.join(root.path, "o/r.git");
  for (const name of ["hooks", "objects/info", "objects/pack", "refs/heads", "refs/tags"]) {
    await mkdir(path.join(folder, name), { recursive: true });
  }
  await writeFile(path.join(folder, "HEAD"), "ref: refs/heads/main\n");
  await writeFile(path.join(folder, "config"), settingsFor(objectFormat));
  const git = async (...args: string[]) =>
    (await run("git", args, { cwd: folder, maxBuffer: 1 << 26 })).stdout.replace(/\n$/u, "");
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => void answer(remote, root.path, request, response));
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  // A client that a busy machine lets wait is not cut off between two requests.
  server.keepAliveTimeout = 0;
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const remote: GitHttp = {
    url: `http://127.0.0.1:${address.port}/o/r`,
    folder,
    writeToken: "token-that-writes",
    readToken: "token-that-reads",
    workflowTokens: new Set(),
    workflows: new WorkflowGuard(folder, objectFormat),
    rightsOf: undefined,
    requests: [],
    fault: undefined,
    git,
    async hook(name, script) {
      const file = path.join(folder, "hooks", name);
      await writeFile(file, `#!/bin/sh\n${script}\n`);
      await chmod(file, 0o755);
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await root[Symbol.asyncDispose]();
    },
  };
  return remote;
}

async function answer(remote: GitHttp, root: string, request: IncomingMessage, response: ServerResponse) {
  const { method = "", url = "", headers } = request;
  const seen: SeenRequest = { method, url, authorization: headers.authorization };
  remote.requests.push(seen);
  const fault = remote.fault?.(seen) ?? refusal(remote, seen);
  if (fault === "hang") return;
  if (fault === "drop") {
    request.socket.destroy();
    return;
  }
  if (fault !== undefined) {
    const challenge = fault.status === 401 ? { "WWW-Authenticate": 'Basic realm="git"' } : {};
    const answered = { "Content-Type": "text/plain", ...challenge, ...fault.headers };
    response.writeHead(fault.status, answered).end(`${fault.text}\n`);
    return;
  }
  const isPush = method === "POST" && url.endsWith("/git-receive-pack");
  const sent = isPush ? await buffer(decoded(request)) : undefined;
  const token = tokenIn(seen);
  const mayWriteWorkflows = remote.workflowTokens.has(token) || remote.rightsOf?.(token)?.["workflows"] === "write";
  if (sent !== undefined && !mayWriteWorkflows) {
    const push = readPush(sent);
    const file = await remote.workflows.refusedIn(push);
    if (file !== undefined) {
      response.writeHead(200, { "Content-Type": "application/x-git-receive-pack-result" });
      return void response.end(refusePush(push, workflowRefusal(file)));
    }
  }
  serve(remote.folder, root, request, response, sent);
}

function decoded(request: IncomingMessage): NodeJS.ReadableStream {
  const encoding = request.headers["content-encoding"];
  return encoding === "gzip" || encoding === "x-gzip" ? request.pipe(createGunzip()) : request;
}

function tokenIn({ authorization = "" }: SeenRequest): string {
  const [scheme = "", encoded = ""] = authorization.split(" ");
  const credentials = Buffer.from(encoded, "base64").toString("utf8");
  return scheme.toLowerCase() === "basic" ? credentials.replace(/^x-access-token:/u, "") : "";
}

function refusal(remote: GitHttp, seen: SeenRequest): Fault | undefined {
  const { url } = seen;
  const token = tokenIn(seen);
  const usual = new Map([
    [remote.readToken, "read"],
    [remote.writeToken, "write"],
  ]);
  const right = usual.get(token) ?? remote.rightsOf?.(token)?.["contents"];
  if (right === undefined) return { status: 401, text: "Invalid username or token." };
  if (url.endsWith("git-receive-pack") && right !== "write")
    return { status: 403, text: "Write access to repository not granted." };
  return undefined;
}

/** What git says of itself where a fetch by the second version of the protocol begins: of the repository only its settings. */
const capabilities = new Map<string, Buffer>();

/**
 * Speaks git's smart protocol as `git http-backend` does, with the program that this would start: one process less for
 * every request.
 *
 * @param sent the request's body, where it has been read already
 */
function serve(
  folder: string,
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
  sent: Buffer | undefined,
): void {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
  const [, asked = "", posted = ""] =
    /^\/o\/r(?:\.git)?\/(?:(info\/refs)|git-(upload-pack|receive-pack))$/u.exec(pathname) ?? [];
  const service = asked === "" ? posted : (searchParams.get("service")?.replace(/^git-/u, "") ?? "");
  if (service !== "upload-pack" && service !== "receive-pack") {
    response.writeHead(404, { "Content-Type": "text/plain" }).end("Not Found\n");
    return;
  }
  const { "git-protocol": given } = request.headers;
  const protocol = typeof given === "string" ? given : "";
  const isSecond = /\bversion=2\b/u.test(protocol);
  const type = `application/x-git-${service}-${asked === "" ? "result" : "advertisement"}`;
  response.writeHead(200, { "Content-Type": type, "Cache-Control": "no-cache, max-age=0, must-revalidate" });
  const settled = asked !== "" && service === "upload-pack" && isSecond;
  const key = settled ? `${protocol}\n${readFileSync(path.join(folder, "config"), "utf8")}` : "";
  const known = capabilities.get(key);
  if (settled && known !== undefined) return void response.end(known);
  const how = asked === "" ? "--stateless-rpc" : "--http-backend-info-refs";
  const child = spawn("git", [service, how, "."], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"] ?? "",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_PROJECT_ROOT: root,
      GIT_COMMITTER_NAME: "x-access-token",
      GIT_COMMITTER_EMAIL: "x-access-token@http.127.0.0.1",
      ...(protocol === "" ? {} : { GIT_PROTOCOL: protocol }),
    },
  });
  // What git does not read of a request is read all the same: the next one comes by the same connection.
  child.stdin.on("error", () => request.resume());
  const complaints: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => complaints.push(chunk));
  child.once("close", (exitCode, signal) => {
    // A refused push is an answer, with which it ends as usual.
    if (service !== "receive-pack" || exitCode === 0) return;
    process.stderr.write(
      `git receive-pack ended with ${signal ?? exitCode}: ${Buffer.concat(complaints).toString()}\n`,
    );
  });
  // The second version of the protocol begins without this line.
  if (asked !== "" && !isSecond) response.write(`${packetLine(`# service=git-${service}\n`)}0000`);
  if (sent === undefined) decoded(request).pipe(child.stdin);
  else child.stdin.end(sent);
  child.stdout.pipe(response);
  if (!settled) return;
  const told: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => told.push(chunk));
  child.once("close", (exitCode) => {
    if (exitCode === 0) capabilities.set(key, Buffer.concat(told));
  });
}

function packetLine(text: string): string {
  return `${(text.length + 4).toString(16).padStart(4, "0")}${text}`;
}
