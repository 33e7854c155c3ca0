/** What a command in isolation sees of the machine. All paths are absolute, real (no link on the way) and exist. */
export interface IsolationProfile {
  /** whether the command's user is root, whom capabilities and `/proc/sys` have to be kept from */
  readonly isRoot: boolean;
  /** null: there is none */
  readonly home: string | null;
  /** whether root has to write what belongs to others */
  readonly overridesPermissions: boolean;
  /** whether `/dev/shm` is a folder, which then is another one: files in it outlive who made them */
  readonly ownSharedMemory: boolean;
  /** folders that look writable, and whose changes end with the run: HOME and tool caches */
  readonly overlays: readonly Overlay[];
  /** folder → where it is taken from, writable: `/tmp` and `/var/tmp` of its own */
  readonly replaced: readonly Replaced[];
  /** folders that are empty */
  readonly emptied: readonly string[];
  /** files and sockets that cannot be opened */
  readonly closed: readonly string[];
  /** folders and files that can be read although something above them is hidden */
  readonly seen: readonly string[];
  /** folders and files that can be written to */
  readonly writable: readonly string[];
  /** folders and files within the writable ones that cannot be changed */
  readonly readOnly: readonly string[];
  /** where the command starts */
  readonly cwd: string;
}

/** A folder with an upper layer, which takes what is written. */
export interface Overlay {
  /** the lower layer, and where the overlay is seen */
  readonly folder: string;
  /** where it is mounted by what comes before bubblewrap */
  readonly at: string;
  readonly upper: string;
  /** overlayfs needs it empty, on the file system of `upper` */
  readonly work: string;
}

interface Replaced {
  readonly folder: string;
  readonly by: string;
}

/**
 * Bubblewrap's arguments for a command in isolation: processes, IPC, terminals and mounts of its own, the network as it
 * is, few devices, no capabilities, and nothing that outlives it. What comes later hides what came before, so the order counts.
 *
 * As root the whole machine could be mounted anew: capabilities go, and no device is there (facts: isolation, section 4).
 */
export function bubblewrapArguments(profile: IsolationProfile): readonly string[] {
  const { isRoot, ownSharedMemory, cwd } = profile;
  return [
    ...["--new-session", "--die-with-parent", "--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL"],
    // Outside root may listen on each port, and tests do.
    ...(isRoot ? ["--cap-add", "CAP_NET_BIND_SERVICE"] : []),
    ...(profile.overridesPermissions ? ["--cap-add", "CAP_DAC_OVERRIDE"] : []),
    ...["--ro-bind", "/", "/"],
    ...["--dev", "/dev"],
    ...(isRoot ? [] : DEVICES.flatMap((device) => ["--dev-bind-try", device, device])),
    ...(ownSharedMemory ? ["--perms", "1777", "--tmpfs", "/dev/shm"] : []),
    ...["--proc", "/proc"],
    ...(isRoot ? ["--ro-bind", "/proc/sys", "/proc/sys"] : []),
    ...mountsOf(profile),
    ...["--chdir", cwd],
  ];
}

/** What tests drive, where the user may: emulators, graphics, file systems and networks of their own. */
const DEVICES: readonly string[] = [
  ...[
    "/dev/kvm",
    "/dev/vhost-net",
    "/dev/vhost-vsock",
    "/dev/vsock",
    "/dev/fuse",
    "/dev/net/tun",
    "/dev/dri",
    "/dev/kfd",
  ],
  ...["/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidia-modeset"],
  ...["/dev/nvidia0", "/dev/nvidia1", "/dev/nvidia2", "/dev/nvidia3", "/dev/nvidia4", "/dev/nvidia5", "/dev/nvidia6"],
  "/dev/nvidia7",
];

type Mount = readonly [at: string, ...args: string[]];

/**
 * The mounts, what lies deeper later: a workspace around HOME uncovers nothing in it, and one in a hidden folder is there.
 * Last comes what is hidden and holds nothing that is opened: no other mount can show it again.
 */
function mountsOf(profile: IsolationProfile): readonly string[] {
  const { overlays, replaced, seen, writable } = profile;
  const opened = [...overlays, ...replaced].map(({ folder }) => folder).concat(seen, writable);
  const hidden: readonly Mount[] = [
    ...profile.emptied.map((folder) => [folder, "--tmpfs", folder] as const),
    ...profile.closed.map((file) => [file, "--ro-bind", "/dev/null", file] as const),
  ];
  const holdsOpened = ([at]: Mount): boolean => opened.some((one) => isWithin(one, at));
  const locked = lockedIn(profile);
  const mounts: readonly Mount[] = [
    ...replaced.map(({ folder, by }) => [folder, "--bind", by, folder] as const),
    ...overlays.map(
      ({ folder, upper, work }) => [folder, "--overlay-src", folder, "--overlay", upper, work, folder] as const,
    ),
    ...hidden.filter(holdsOpened),
    ...seen.map((path) => [path, isWithin(path, "/dev") ? "--dev-bind" : "--ro-bind", path, path] as const),
    ...[...foldersAbove(locked, writable), ...writable].map(
      (path) => [path, isWithin(path, "/dev") ? "--dev-bind" : "--bind", path, path] as const,
    ),
  ];
  return [
    ...inOrder(mounts),
    ...locked.flatMap((path) => ["--ro-bind", path, path]),
    ...inOrder(hidden.filter((one) => !holdsOpened(one))),
  ];
}

function inOrder(mounts: readonly Mount[]): readonly string[] {
  return mounts.toSorted(([a], [b]) => a.split("/").length - b.split("/").length).flatMap(([, ...args]) => args);
}

/** What is kept from changes and seen: the innermost of what is mounted around it is writable, not hidden. */
function lockedIn({ readOnly, writable, emptied, closed }: IsolationProfile): readonly string[] {
  const innermost = (path: string, around: readonly string[]): number =>
    Math.max(0, ...around.filter((one) => isWithin(path, one)).map((one) => one.length));
  return readOnly.filter((path) => innermost(path, writable) > innermost(path, [...emptied, ...closed]));
}

/**
 * The folders between what is kept and the writable one around it: the parent of a mount can be renamed, and another one
 * put in its place, unless it is a mount itself.
 */
function foldersAbove(locked: readonly string[], writable: readonly string[]): readonly string[] {
  const between = new Set<string>();
  for (const path of locked) {
    const inside = writable.filter((folder) => isWithin(path, folder));
    for (let at = parentOf(path); inside.some((folder) => at !== folder && isWithin(at, folder)); at = parentOf(at))
      between.add(at);
  }
  return [...between].filter((folder) => !writable.includes(folder));
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

/** Whether an absolute path lies in a folder, or is it. */
export function isWithin(path: string, folder: string): boolean {
  return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}

/** Whether opening a real path would open the whole machine, its devices or processes, or a whole home. */
export function isTooWide(path: string, home: string | null): boolean {
  if (isWithin(path, "/proc") || ["/", "/dev", "/sys", "/run", "/home", "/root"].includes(path)) return true;
  return home !== null && isWithin(home, path);
}
