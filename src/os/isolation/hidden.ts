import { readFileSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";

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

/** Sockets of programs that run what they are told, as root or as somebody else. */
const SOCKETS: readonly string[] = [
  ...["/run/docker.sock", "/run/podman/podman.sock", "/run/containerd/containerd.sock", "/run/crio/crio.sock"],
  ...["/run/dbus/system_bus_socket", "/run/systemd/private", "/run/snapd.socket", "/run/libvirt/libvirt-sock"],
  ...["/run/buildkit/buildkitd.sock", "/run/k3s/containerd/containerd.sock"],
  ...["/var/snap/lxd/common/lxd/unix.socket", "/var/snap/lxd/common/lxd/unix.socket.user", "/var/lib/lxd/unix.socket"],
  ...["/run/incus/unix.socket", "/run/incus/unix.socket.user", "/var/lib/incus/unix.socket", "/run/cri-dockerd.sock"],
  ...["/run/pcscd/pcscd.comm", "/run/tailscale/tailscaled.sock", "/run/libvirt/virtqemud-sock"],
];

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

/**
 * What a check has no business with on this machine, as far as it exists: credentials, the homes of others, sockets that
 * run code or hold secrets, the user's runtime folder, and what the caller names.
 *
 * @param home real; null: there is none
 * @param others further folders and files to hide, absolute
 */
export async function hiddenOn(
  { home, uid, env }: { readonly home: string | null; readonly uid: number; readonly env: NodeJS.ProcessEnv },
  others: readonly string[],
): Promise<Hidden> {
  const candidates = [
    ...(home === null ? [] : CREDENTIALS.map((name) => path.join(home, name))),
    ...(home === null ? [] : MAYBE.map((name) => path.join(home, name)).filter(holdsSecret)),
    ...(await othersHomes(home)),
    ...SOCKETS,
    ...SOCKET_VARIABLES.flatMap((name) => pathIn(env[name])),
    `/run/user/${uid}`,
    ...others,
  ];
  const folders = new Set<string>();
  const files = new Set<string>();
  for (const candidate of candidates) {
    const real = await realpath(candidate).catch(() => undefined);
    const info = real === undefined ? undefined : await stat(real).catch(() => undefined);
    if (real === undefined || info === undefined) continue;
    (info.isDirectory() ? folders : files).add(real);
  }
  return { folders: [...folders], files: [...files] };
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

async function othersHomes(home: string | null): Promise<readonly string[]> {
  const names = await readdir("/home").catch(() => []);
  return [...names.map((name) => path.join("/home", name)), "/root"].filter((folder) => {
    return home === null || !(home === folder || home.startsWith(`${folder}/`));
  });
}

function holdsSecret(file: string): boolean {
  try {
    return SECRET_IN_SETTINGS.test(readFileSync(file, "utf8"));
  } catch {
    return false;
  }
}

/** The path in the value of such a variable, as in `unix:path=/run/bus,guid=1`. */
function pathIn(value: string | undefined): readonly string[] {
  const [, found] = /(?:^|=|^(?:unix|npipe):\/\/)(\/[^,;:]+)/u.exec(value ?? "") ?? [];
  return found === undefined ? [] : [found];
}
