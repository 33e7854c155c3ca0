import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { isTooWide, isWithin } from "./profile.ts";

/** What holds secrets or runs code for others, relative to a home. */
const CREDENTIALS: readonly string[] = [
  ...[".ssh", ".gnupg", ".aws", ".azure", ".docker", ".kube", ".config/gcloud", ".config/gh", ".config/containers"],
  ...[".local/share/keyrings", ".password-store", ".mozilla", ".config/google-chrome", ".config/chromium"],
  ...[".config/rclone", ".config/op", ".config/doctl", ".config/hub", ".config/sops", ".oci", ".fly", ".1password"],
  ...[".var/app", "snap/firefox", "snap/chromium", ".config/BraveSoftware", ".config/microsoft-edge", ".thunderbird"],
  ...[".pgpass", ".my.cnf", ".mylogin.cnf", ".s3cfg", ".boto", ".composer/auth.json", ".config/composer/auth.json"],
  ...[".Xauthority", ".ICEauthority"],
  ...[".bash_history", ".zsh_history", ".python_history", ".node_repl_history", ".psql_history", ".mysql_history"],
  ...[".netrc", ".git-credentials", ".config/git/credentials", ".pypirc", ".vault-token", ".terraform.d"],
  ...[
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".m2/settings.xml",
    ".m2/settings-security.xml",
  ],
];

/** Settings of package managers: read by every installation, so they are hidden only where they hold a secret. */
const MAYBE: readonly string[] = [
  ...[".npmrc", ".yarnrc.yml", ".config/pip/pip.conf", ".bundle/config", ".gradle/gradle.properties"],
  ".nuget/NuGet/NuGet.Config",
];
const SECRET_IN_SETTINGS =
  /_auth|password|npmAuth|token|secret|apikey|BUNDLE_\w+__(?:COM|IO|ORG|NET)\b|\/\/[^/\s:@]+:[^/\s@]+@/iu;

/** Programs that run what they are told, as root or as somebody else: their sockets, or all that they have there. */
const SOCKETS: readonly string[] = [
  ...["/run/docker.sock", "/run/docker", "/run/podman", "/run/containerd", "/run/crio", "/run/cri-dockerd.sock"],
  ...["/run/dbus/system_bus_socket", "/run/systemd/private", "/run/snapd.socket", "/run/libvirt", "/run/k3s"],
  ...["/run/buildkit", "/run/incus", "/run/pcscd", "/run/tailscale"],
  ...["/var/snap/lxd/common/lxd/unix.socket", "/var/snap/lxd/common/lxd/unix.socket.user", "/var/lib/lxd/unix.socket"],
  ...["/var/lib/incus/unix.socket", "/nix/var/nix/daemon-socket/socket"],
];

/** Where others are found on a machine. */
interface Places {
  readonly homes: string;
  readonly run: string;
  /** services have sockets there as well, with a slash at the end */
  readonly services: readonly string[];
}

const MACHINE: Places = { homes: "/home", run: "/run", services: ["/run/", "/var/run/", "/var/lib/", "/var/snap/"] };
/** Sockets that only answer questions, which every program asks about names and users, or take a log. */
const ANSWERING: readonly string[] = [
  ...["/run/nscd", "/run/nslcd", "/run/systemd/resolve", "/run/systemd/userdb", "/run/systemd/journal"],
  ...["/run/avahi-daemon", "/run/uuidd", "/run/samba/winbindd", "/var/lib/sss/pipes", "/var/lib/samba/winbindd"],
];
/** Large parts of `/run` without sockets, or hidden as a whole. */
const NOT_SEARCHED: ReadonlySet<string> = new Set(["udev", "user", "units", "lock", "log", "credentials"]);
const LEVELS = 3;

/** Variables that lead to such programs. */
const SOCKET_VARIABLES: readonly string[] = [
  ...["SSH_AUTH_SOCK", "GPG_AGENT_INFO", "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "DOCKER_HOST"],
  ...["CONTAINER_HOST", "BUILDKIT_HOST", "CONTAINERD_ADDRESS", "LXD_SOCKET", "INCUS_SOCKET"],
];

/** What a runner on a machine of one's own is known by, and what it writes of its jobs; in its folder. */
const RUNNER_FILES = /^(?:\.credentials|\.runner|\.env$|\.service$|_diag$)/u;
/** What jobs use in its work folder. */
const RUNNER_TOOLS: ReadonlySet<string> = new Set(["_tool", "_actions"]);

interface Hidden {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/** Whose commands they are, and where they work. */
interface Of {
  /** real; null: there is none */
  readonly home: string | null;
  readonly uid: number;
  /** of this process: what is on its `PATH` is seen */
  readonly env: NodeJS.ProcessEnv;
  /** folders in which sockets are the commands' own */
  readonly own: readonly string[];
}

/**
 * What a check has no business with on this machine, as far as it exists: credentials, the homes of others, sockets that
 * run code or hold secrets, the user's runtime folder, and what the caller names. All at once: it is looked up before
 * each command, and asking one by one costs more than all the rest.
 *
 * @param others further folders and files to hide, absolute
 * @param places where tests have a machine of their own
 */
export function hiddenOn({ home, uid, env, own }: Of, others: readonly string[], places = MACHINE): Hidden {
  const runtime = env["XDG_RUNTIME_DIR"] ?? "";
  const candidates = [
    ...(home === null ? [] : secretsIn(home)),
    ...othersHomes(home, env["PATH"] ?? "", places.homes),
    ...[...SOCKETS, ...SOCKET_VARIABLES.flatMap((name) => pathIn(env[name])), `/run/user/${uid}`],
    ...(path.isAbsolute(runtime) && !isTooWide(runtime, home) ? [runtime] : []),
    ...others,
  ];
  const folders = new Set<string>();
  const files = new Set<string>();
  const isOwn = (file: string): boolean => own.some((folder) => isWithin(file, folder));
  for (const { file, isFolder } of candidates.flatMap(whatIs)) (isFolder ? folders : files).add(file);
  for (const { file } of servicesSockets(places).flatMap(whatIs))
    if (!isOwn(file) && ![...ANSWERING, ...folders].some((folder) => isWithin(file, folder))) files.add(file);
  return { folders: [...folders], files: [...files] };
}

/** Its real path; nothing: it is not there. */
function whatIs(candidate: string): readonly { readonly file: string; readonly isFolder: boolean }[] {
  try {
    const info = statSync(candidate, { throwIfNoEntry: false });
    if (info === undefined) return [];
    return [{ file: realpathSync.native(candidate), isFolder: info.isDirectory() }];
  } catch {
    return [];
  }
}

function secretsIn(home: string): readonly string[] {
  const at = (name: string): string => path.join(home, name);
  return [...CREDENTIALS.map(at), ...MAYBE.map(at).filter(holdsSecret)];
}

/** By the folder that was searched: what appears there later is found where somebody listens. */
const searched = new Map<string, readonly string[]>();

/** Sockets of services: those that somebody listens on here, and what lies in `/run`, as that of another container. */
function servicesSockets({ run, services }: Places): readonly string[] {
  const before = searched.get(run) ?? socketsIn(run, LEVELS);
  searched.set(run, before);
  const listening = textOf("/proc/net/unix").split("\n");
  const paths = listening.flatMap((line) => /^(?:\S+\s+){7}(\/.+)$/u.exec(line)?.[1] ?? []);
  return [...before, ...paths.filter((file) => services.some((folder) => file.startsWith(folder)))];
}

function socketsIn(folder: string, levels: number): readonly string[] {
  let entries: readonly Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isSocket()) return [file];
    return entry.isDirectory() && levels > 1 && !NOT_SEARCHED.has(entry.name) ? socketsIn(file, levels - 1) : [];
  });
}

/**
 * The secrets of the runner around a folder of its: with them somebody else takes the jobs that come next. Other
 * repositories that it has checked out lie beside.
 *
 * @param temp RUNNER_TEMP
 * @param used what the job works in, absolute
 */
export async function runnersOwn(temp: string, used: readonly string[]): Promise<readonly string[]> {
  const work = path.dirname(temp);
  const runner = path.dirname(work);
  const names: readonly string[] = await readdir(runner).catch(() => []);
  if (!names.includes(".runner")) return [];
  const inWork = await readdir(work).catch(() => []);
  const others = inWork.filter((name) => !RUNNER_TOOLS.has(name)).map((name) => path.join(work, name));
  return [
    ...names.filter((name) => RUNNER_FILES.test(name)).map((name) => path.join(runner, name)),
    ...others.filter((folder) => !used.some((one) => one === folder || one.startsWith(`${folder}/`))),
  ];
}

/** The homes of others; of one that has programs of the `PATH`, as Homebrew's, the secrets alone. */
function othersHomes(home: string | null, searchPath: string, homes: string): readonly string[] {
  const programs = searchPath.split(path.delimiter);
  const names = foldersIn(homes);
  return [...names.map((name) => path.join(homes, name)), "/root"].flatMap((folder) => {
    if (home !== null && isWithin(home, folder)) return [];
    return programs.some((entry) => isWithin(entry, folder)) ? secretsIn(folder) : [folder];
  });
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function holdsSecret(file: string): boolean {
  return SECRET_IN_SETTINGS.test(textOf(file));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** The path in the value of such a variable, as in `unix:path=/run/bus,guid=1`. */
function pathIn(value: string | undefined): readonly string[] {
  const [, found] = /(?:^|=|^(?:unix|npipe):\/\/)(\/[^,;:]+)/u.exec(value ?? "") ?? [];
  return found === undefined ? [] : [found];
}
