import {
  isDevelopmentPassword,
  looksRandom,
  partsOfSecret,
  PUBLIC_BLOCK,
  SHORTEST_SECRET,
} from "./secret-variables.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** What of a job's variables a check gets. */
export interface CheckVariables {
  readonly passed: Readonly<Record<string, string>>;
  /** names of what the person has put there and a check does not get, sorted */
  readonly withheld: readonly string[];
}

/** What it takes to tell a secret that is not called one. */
export interface KnownSecrets {
  /** values that the settings call secret */
  readonly values: readonly string[];
  /** whether a text holds a token or a private key, by its form */
  readonly hasToken: (text: string) => boolean;
}

interface Variable {
  readonly name: string;
  readonly value: string;
}

/**
 * Of the variables of a job, those that a check gets as a step of the job would: what `setup-*` steps and `env:` put there
 * (C95). Checks run what an agent has written, so they do not get what has a secret's name, form or randomness, what holds
 * a known secret, an address with a password unless it leads to this machine or to a service of the job, what every
 * program runs first, what lies in the runner's temporary folder, or what the runner says to this step alone (T2, T3, T12).
 *
 * @param env all variables of the step, as it began
 */
export function checkVariables(env: Variables, { values, hasToken }: KnownSecrets): CheckVariables {
  const given = Object.entries(env).flatMap(([name, value = ""]) => (isOfThisStep(name) ? [] : [{ name, value }]));
  const known = [...values, ...given.filter(isTelling).map(({ value }) => value)].filter(
    (secret) => secret.length >= SHORTEST_SECRET && !isDevelopmentPassword(secret),
  );
  const hidden = env["RUNNER_TEMP"] || undefined;
  const isWithheld = ({ name, value }: Variable): boolean =>
    KEPT.test(name) ||
    (hidden !== undefined && value.includes(hidden)) ||
    isCalledSecret(name, value) ||
    known.some((secret) => value.includes(secret)) ||
    hasToken(value) ||
    isSecret(value);
  const withheld = new Set(given.filter(isWithheld).map(({ name }) => name));
  const passed = given.filter(({ name }) => !withheld.has(name)).map(({ name, value }) => [name, value] as const);
  return { passed: Object.fromEntries(passed), withheld: [...withheld].toSorted() };
}

/** Whether a variable's value is a secret wherever it is found: `CACHE_KEY=node_modules` is none. */
function isTelling({ name, value }: Variable): boolean {
  return isCalledSecret(name, value) && (isRandom(value) || (PASSWORD_WORD.test(name) && !value.includes("/")));
}

/** Settings of ours, the runner's own to this step, and what a shell, npm or systemd says to its own child. */
const OF_THIS_STEP =
  /^(?:ACTIONS_|INPUT_|STATE_|SMITHERS_|RUNNER_|GITHUB_ACTION_|npm_(?:package|lifecycle|command|execpath|node_execpath)|MEMORY_PRESSURE_)|^(?:GITHUB_(?:ACTION|ENV|EVENT_PATH|OUTPUT|PATH|STATE|STEP_SUMMARY)|_|PWD|OLDPWD|SHLVL|TERM|INIT_CWD|INVOCATION_ID|JOURNAL_STREAM|SYSTEMD_EXEC_PID)$/u;

/** Of the runner's own, what tells of the machine. */
const OF_THE_MACHINE = /^RUNNER_(?:OS|ARCH|NAME|ENVIRONMENT|DEBUG|TOOL_CACHE)$/u;

function isOfThisStep(name: string): boolean {
  return OF_THIS_STEP.test(name) && !OF_THE_MACHINE.test(name);
}

/** What every step is told of its run, which everybody may read. Any other name of GitHub's is a token as likely as not. */
const OF_THE_RUN =
  /^GITHUB_(?:ACTIONS|ACTOR|ACTOR_ID|API_URL|BASE_REF|EVENT_NAME|GRAPHQL_URL|HEAD_REF|JOB|REF|REF_NAME|REF_PROTECTED|REF_TYPE|REPOSITORY|REPOSITORY_ID|REPOSITORY_OWNER|REPOSITORY_OWNER_ID|RETENTION_DAYS|RUN_ATTEMPT|RUN_ID|RUN_NUMBER|SERVER_URL|SHA|TRIGGERING_ACTOR|WORKFLOW|WORKFLOW_REF|WORKFLOW_SHA|WORKSPACE)$/u;

/** What makes every shell or program run a file first: one that a check can write would make all later checks green. */
const RUN_FIRST = ["BASH_ENV", "ENV", "PROMPT_COMMAND", "BASH_FUNC_.*", "PYTHONSTARTUP", "LD_PRELOAD", "LD_AUDIT"];
const RUN_FIRST_MAC = ["DYLD_INSERT_LIBRARIES"];
/** What tells git of another repository, program or login. */
const OF_GIT = [
  ...["ASKPASS", "SSH", "SSH_.*", "CONFIG.*", "DIR", "COMMON_DIR", "WORK_TREE", "INDEX_FILE", "OBJECT_DIRECTORY"],
  ...["ALTERNATE_OBJECT_DIRECTORIES", "NAMESPACE", "EXEC_PATH", "TEMPLATE_DIR", "PREFIX", "TRACE.*", "PROXY_COMMAND"],
].map((name) => `GIT_${name}`);
/** Ways to somebody's logins. */
const TO_LOGINS = [
  ...["SSH_ASKPASS", "SSH_AGENT_PID", "SUDO_ASKPASS", "DBUS_SESSION_BUS_ADDRESS", "GNUPGHOME", "GPG_.*", "KUBECONFIG"],
  ...["DOCKER_CONFIG", "NETRC", "AWS_CONFIG_FILE", "AWS_PROFILE", "AWS_CONTAINER_.*", "AZURE_CONFIG_DIR"],
  ...["CLOUDSDK_CONFIG", "PIP_CONFIG_FILE", "npm_config_.*(?:auth|user_?config|global_?config).*", "npm_config_//.*"],
];
const KEPT = new RegExp(`^(?:${[...RUN_FIRST, ...RUN_FIRST_MAC, ...OF_GIT, ...TO_LOGINS].join("|")})$`, "iu");

/** Somewhere in a name. */
const SECRET_WORD =
  /TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|CREDENTIAL|(?:API|ACCESS|ACCOUNT|PRIVATE|SHARED|SIGNING|ENCRYPTION)_?KEY/iu;
/** A whole part of a name. */
const SECRET_PART = /(?:^|[^A-Z\d])(?:KEYS?|PAT|AUTH|OAUTH|JWT|BEARER|COOKIE|PASS|PW|PWD|SAS)(?:$|[^A-Z\d])/iu;
const PASSWORD_WORD = /PASSW(?:OR)?D|PASSPHRASE|(?:^|[^A-Z\d])(?:PASS|PW|PWD)(?:$|[^A-Z\d])/iu;

/** A switch, a number, or a word that is no password: `TOKENIZERS_PARALLELISM=false`, `MAX_TOKENS=4096`. */
const PLAIN = /^(?:[A-Za-z]{0,12}|-?\d{1,8}(?:\.\d{1,4})?)$/u;
const SWITCH = /^(?:|true|false|yes|no|on|off|\d)$/iu;

function isCalledSecret(name: string, value: string): boolean {
  if (name.startsWith("GITHUB_")) return !OF_THE_RUN.test(name);
  if (!SECRET_WORD.test(name) && !SECRET_PART.test(name)) return false;
  // A path into the workspace leads to nothing that the agent does not see; an address is judged as one.
  if (isDevelopmentPassword(value) || /^\.{1,2}\//u.test(value) || hostsOf(value) !== undefined) return false;
  return PASSWORD_WORD.test(name) ? !SWITCH.test(value) : !PLAIN.test(value);
}

/** Whether a value shows by itself that it is secret. */
function isSecret(value: string): boolean {
  if (/^\s*[[{]/u.test(value)) return partsOfSecret(value).length > 0;
  if (hostsOf(value) !== undefined && isSecretWord(value)) return true;
  return isSecretConnection(value) || wordsOf(value.replaceAll(PUBLIC_BLOCK, "")).some(isSecretWord);
}

function isSecretWord(word: string): boolean {
  const hosts = hostsOf(word);
  if (hosts === undefined) return isRandom(word);
  return hasPassword(word) ? !hosts.every(isNear) : pathOf(word).some(isRandom);
}

const ADDRESS = /^(?:jdbc:)?[a-z][a-z\d+.-]{0,30}:\/\/(?:[^\s/?#]*@)?(?<hosts>[^\s/?#@]*)/iu;
/** As Go's drivers write it: `root:root@tcp(127.0.0.1:3306)/app`. */
const GO_ADDRESS = /^[^\s@/]*@(?:tcp|udp|unix)\((?<hosts>[^)]*)\)/u;

/** The hosts that an address leads to; undefined: it is none. */
function hostsOf(value: string): readonly string[] | undefined {
  const hosts = (ADDRESS.exec(value) ?? GO_ADDRESS.exec(value))?.groups?.["hosts"];
  return hosts?.split(",").map((host) => host.replace(/:\d*$/u, ""));
}

/** This machine, or a name without a dot: a service container of the job. */
function isNear(host: string): boolean {
  return /^(?:[a-z\d_-]*|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[?::1\]?|host\.docker\.internal|\/.*)$/iu.test(host);
}

const USER_INFO = /^(?:jdbc:)?(?:[a-z][a-z\d+.-]{0,30}:\/\/)?(?<user>[^\s/?#]*)@/iu;
/** Users without a password that are no tokens. */
const USERS = /^(?:|git|root|postgres|guest|user|admin|sa)$/u;
const SECRET_PARAMETER =
  /[?&;](?:[\w-]*(?:password|passwd|pwd|secret|token|key|auth|credential|signature)[\w-]*|sig)=[^&;]/iu;

function hasPassword(address: string): boolean {
  return !USERS.test(USER_INFO.exec(address)?.groups?.["user"] ?? "") || SECRET_PARAMETER.test(address);
}

/** A hook's address has its secret there. */
function pathOf(address: string): readonly string[] {
  return address.replace(ADDRESS, "").split(/[/?#&=]+/u);
}

const PAIR = /(?:^|[\s;&])(?:-D|-{0,2})(?<name>[\w.-]+)\s*[=:]\s*(?<value>[^\s;&]+)/gu;
const HOST_PAIR =
  /(?:^|[\s;:])(?:host|hostaddr|server|data source|address|addr)\s*=\s*(?:tcp:)?(?<host>[^\s;,:\\]*)/giu;

/** Pairs with a password, as in `Server=db;User Id=sa;Password=…`, unless all their hosts are near. */
function isSecretConnection(value: string): boolean {
  if (hostsOf(value) !== undefined) return false;
  const pairs = [...value.matchAll(PAIR)];
  if (!pairs.some(([, name, secret]) => isCalledSecret(String(name), String(secret)))) return false;
  const hosts = [...value.matchAll(HOST_PAIR)].map(([, host]) => String(host));
  return hosts.length === 0 || !hosts.every(isNear);
}

/** What a value of several words is made of, without the flags and names that stand before a path or a `=`. */
function wordsOf(value: string): readonly string[] {
  const words = value.split(/[\s"'`,;]+|:(?=[.~]|\/(?!\/))/u);
  return words.map((word) => word.replace(/^-{1,2}[\w-]*?(?=\/)|^-{0,2}[\w.-]+=/u, ""));
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;
const DIGEST = /(?:^|@)sha(?:1|256|384|512)[:-]/u;

function isRandom(text: string): boolean {
  return looksRandom(text) && !UUID.test(text) && !DIGEST.test(text);
}
