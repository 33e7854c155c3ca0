import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, chmod, mkdir, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { tempFolder } from "./temp-folder.ts";

const run = promisify(execFile);

/** The program itself: `git http-backend` would be one process more for every request. */
const backend = run("git", ["--exec-path"]).then(({ stdout }) => path.join(stdout.trim(), "git-http-backend"));

const SETTINGS = `[http]
	receivepack = true
[uploadpack]
	allowReachableSHA1InWant = true
	allowFilter = true
[receive]
	autogc = false
[core]
	fsync = none
`;

/** A request as the server saw it. */
export interface SeenRequest {
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
  /** may read and write */
  readonly writeToken: string;
  /** may only read */
  readonly readToken: string;
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
  await mkdir(folder, { recursive: true });
  const git = async (...args: string[]) =>
    (await run("git", args, { cwd: folder, maxBuffer: 1 << 26 })).stdout.replace(/\n$/u, "");
  await git("init", "-q", "--bare", "-b", "main", `--object-format=${objectFormat}`);
  await appendFile(path.join(folder, "config"), SETTINGS);
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => void answer(remote, root.path, request, response));
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const remote: GitHttp = {
    url: `http://127.0.0.1:${address.port}/o/r`,
    folder,
    writeToken: "token-that-writes",
    readToken: "token-that-reads",
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
  serve(await backend, root, request, response);
}

function refusal(remote: GitHttp, { url, authorization = "" }: SeenRequest): Fault | undefined {
  const [scheme = "", encoded = ""] = authorization.split(" ");
  const credentials = Buffer.from(encoded, "base64").toString("utf8");
  const token = scheme.toLowerCase() === "basic" ? credentials.replace(/^x-access-token:/u, "") : "";
  if (token !== remote.readToken && token !== remote.writeToken)
    return { status: 401, text: "Invalid username or token." };
  if (url.endsWith("git-receive-pack") && token !== remote.writeToken)
    return { status: 403, text: "Write access to repository not granted." };
  return undefined;
}

/** Hands the request to `git http-backend`, a CGI program. */
function serve(program: string, root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? "", "http://127.0.0.1");
  const header = (name: string) => {
    const value = request.headers[name];
    return typeof value === "string" ? value : "";
  };
  const child = spawn(program, [], {
    env: {
      PATH: process.env["PATH"] ?? "",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_PROJECT_ROOT: root,
      PATH_INFO: pathname.replace(/^(\/[^/]+\/[^/]+?)(?:\.git)?(?=\/)/u, "$1.git"),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? "",
      CONTENT_TYPE: header("content-type"),
      CONTENT_LENGTH: header("content-length"),
      HTTP_CONTENT_ENCODING: header("content-encoding"),
      GIT_PROTOCOL: header("git-protocol"),
      REMOTE_USER: "x-access-token",
      REMOTE_ADDR: "127.0.0.1",
    },
  });
  child.stdin.on("error", () => {});
  request.pipe(child.stdin);
  child.stderr.resume();
  let head = Buffer.alloc(0);
  child.stdout.on("data", (chunk: Buffer) => {
    if (response.headersSent) return void response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return;
    let status = 200;
    for (const line of head.subarray(0, end).toString("latin1").split("\r\n")) {
      const [, name = "", value = ""] = /^([^:]+): *(.*)$/u.exec(line) ?? [];
      if (name.toLowerCase() === "status") status = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.writeHead(status);
    response.write(head.subarray(end + 4));
  });
  child.once("close", () => response.end());
}
