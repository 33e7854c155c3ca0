import { readFileSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";

/** What holds secrets or runs code for others, relative to a home. */
const CREDENTIALS: readonly string[] = [
  ...[".ssh", ".gnupg", ".aws", ".azure", ".docker", ".kube", ".config/gcloud", ".config/gh", ".config/containers"],
  ...[".local/share/keyrings", ".password-store", ".mozilla", ".config/google-chrome", ".config/chromium"],
  ...[".netrc", ".git-credentials", ".config/git/credentials", ".pypirc", ".vault-token", ".terraform.d"],
  ...[
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".m2/settings.xml",
    ".m2/settings-security.xml",
  ],
];

/** A setting file of npm: read by every installation, so it is hidden only where it holds a token. */
const MAYBE: readonly string[] = [".npmrc", ".yarnrc.yml", ".config/pip/pip.conf"];
const SECRET_IN_SETTINGS = /_auth|_password|npmAuth|\/\/[^/\s:@]+:[^/\s@]+@/u;

/** Sockets of programs that run what they are told, as root or as somebody else. */
const SOCKETS: readonly string[] = [
  ...["/run/docker.sock", "/run/podman/podman.sock", "/run/containerd/containerd.sock", "/run/crio/crio.sock"],
  ...["/run/dbus/system_bus_socket", "/run/systemd/private", "/run/snapd.socket", "/run/libvirt/libvirt-sock"],
  ...["/run/buildkit/buildkitd.sock", "/run/k3s/containerd/containerd.sock"],
];

/** Variables that lead to such programs. */
const SOCKET_VARIABLES: readonly string[] = ["SSH_AUTH_SOCK", "GPG_AGENT_INFO", "DBUS_SESSION_BUS_ADDRESS"];

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
  const [, found] = /(?:^|=)(\/[^,;:]+)/u.exec(value ?? "") ?? [];
  return found === undefined ? [] : [found];
}
