/**
 * A hostile check against the real isolation, as whoever runs this file: prints as JSON what each attack has got, and what
 * stands afterwards. It is a program of its own, so that another user can run a copy of it.
 *
 * Arguments: a folder of that user's, and a bubblewrap.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { isolatedEnvironment, prepareIsolation } from "../../src/os/isolation/isolation.ts";
import { supervise } from "../../src/os/supervise.ts";

const [root = "", bubblewrap = ""] = process.argv.slice(2);
const at = (name: string): string => `${root}/${name}`;
for (const name of ["home/.ssh", "home/.aws", "work/loop/state", "temp/_runner_file_commands", "elsewhere", "consents"])
  mkdirSync(at(name), { recursive: true });
writeFileSync(at("home/.ssh/id"), "CANARY-key");
writeFileSync(at("home/.aws/credentials"), "CANARY-cloud");
writeFileSync(at("home/.bashrc"), "mine");
writeFileSync(at("temp/record"), "CANARY-temp");
writeFileSync(at("temp/_runner_file_commands/env"), "");
writeFileSync(at("work/loop/state/loop.json"), "ours");
writeFileSync(at("consents/one"), "CANARY-consent");
const agent = createServer((socket) => socket.end("CANARY-socket"));
await new Promise<void>((resolve) => void agent.listen(at("elsewhere/agent.sock"), resolve));
const web = createServer((socket) => socket.end("reached"));
await new Promise<void>((resolve) => void web.listen(0, "127.0.0.1", resolve));
const address = web.address();
const port = typeof address === "object" ? address?.port : undefined;
process.env["SSH_AUTH_SOCK"] = at("elsewhere/agent.sock");
process.on("SIGUSR1", () => (killed = true));
let killed = false;

const env = { PATH: process.env["PATH"] ?? "", HOME: at("home") };
const prepared = await prepareIsolation({
  ...{ bubblewrap, env, mark: `attacks-${process.pid}`, cwd: at("work"), writable: [], toolCaches: [], access: [] },
  ...{ readOnly: [at("work/loop/state")], hidden: [at("temp"), at("consents")] },
});
if (!prepared.ok) throw new Error(prepared.trouble.because);
const isolation = prepared.value;
const memory = `/dev/shm/smithers-attack-${process.pid}`;
const node = (code: string): string => `'${process.execPath}' -e '${code}'`;
const connect = (where: string): string =>
  node(`require("net").connect(${where}).on("data", (d) => console.log(String(d))).on("error", () => {})`);
const within = `unshare -Urm sh -c`;

/** What is tried, in a shell. */
const ATTACKS: Readonly<Record<string, string>> = {
  "environments of processes": "cat /proc/[0-9]*/environ | tr '\\0' '\\n'",
  "memory of our process": `head -c 1 /proc/${process.pid}/mem && echo CANARY-memory`,
  "a signal to our process": `kill -USR1 ${process.pid}; kill -9 -1`,
  "keys of the user": "cat ~/.ssh/id ~/.aws/credentials; ln -s ~/.ssh/id link; cat link",
  "the runner's temporary folder": `cat ${at("temp")}/*; echo x >> ${at("temp/_runner_file_commands/env")}`,
  "consents of the person": `cat ${at("consents")}/*`,
  "a roundabout way to the root": `cat /proc/1/root${at("home/.ssh/id")} /proc/self/root${at("home/.ssh/id")}`,
  "namespaces of init": "nsenter -t 1 -m cat /etc/shadow && echo CANARY-init",
  "what hides is unmounted": `umount -l ~/.ssh; cat ~/.ssh/id; ${within} "umount -l ~/.ssh; cat ~/.ssh/id"`,
  "the machine is mounted anew": `mount -o remount,rw /; ${within} "mount -o remount,rw,bind /"; echo x > ${at("elsewhere/x")}`,
  "a write elsewhere": `echo x > ${at("elsewhere/y")}; echo x > /etc/smithers-attack; echo x > ${memory}`,
  "the start files of the user's shell": "echo evil >> ~/.bashrc",
  "the kernel's settings": "echo '|/tmp/x' > /proc/sys/kernel/core_pattern && echo CANARY-kernel",
  "more rights":
    "sudo -n true && echo CANARY-sudo; grep -q 'NoNewPrivs:.1' /proc/self/status || echo CANARY-privileges",
  "the loop's state":
    "echo x > loop/state/loop.json; rm -rf loop/state; mv loop old && mkdir -p loop/state && echo x > loop/state/loop.json",
  "the state from a namespace within": `${within} "mount --bind /tmp loop/state; umount -l loop/state; echo x > loop/state/loop.json"`,
  "the socket of an agent": connect(`"${at("elsewhere/agent.sock")}"`),
  "layers of other commands": "cat /var/tmp/smithers-isolation-*/layers-*/*/* && echo CANARY-layers",
  "terminals of the user": `[ "$(stat -c %d /dev/pts)" = ${statSync("/dev/pts").dev} ] && echo CANARY-terminal`,
  "a daemon": `env -i setsid sh -c 'while :; do echo alive >> ${at("work/beats")}; sleep 0.01; done' >/dev/null 2>&1 & sleep 0.1`,
};

async function run(script: string): Promise<string> {
  const child = supervise({
    ...{ command: "sh", args: ["-c", script], cwd: at("work"), env: isolatedEnvironment(env), timeoutMs: 60_000 },
    ...{ mark: `attacks-${process.pid}`, isolation: await isolation.launcher(), signal: new AbortController().signal },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  await child.exit;
  return said;
}

const got: Record<string, readonly string[]> = {};
for (const [name, script] of Object.entries(ATTACKS)) got[name] = (await run(script)).match(/CANARY-[a-z]+/gu) ?? [];
const beats = readFileSync(at("work/beats"), "utf8").length;
const useful = await run(`echo made > made; cat made; ${connect(String(port))}; id -u`);
const after = {
  killed,
  daemon: readFileSync(at("work/beats"), "utf8").length - beats,
  elsewhere: readdirSync(at("elsewhere")),
  memory: existsSync(memory),
  shell: readFileSync(at("home/.bashrc"), "utf8"),
  fileCommands: readFileSync(at("temp/_runner_file_commands/env"), "utf8"),
  state: readFileSync(at("work/loop/state/loop.json"), "utf8"),
};
agent.close();
web.close();
process.stdout.write(`${JSON.stringify({ uid: process.getuid?.(), lacks: isolation.lacks, got, useful, after })}\n`);
