import { describe, expect, test } from "vitest";
import { checkVariables } from "../../../src/core/policy/check-variables.ts";
import { secretVariables } from "../../../src/core/policy/secret-variables.ts";
import { tokensIn } from "../../../src/os/token-formats.ts";

const RANDOM = "v8Kq2LxT0pRz7WmB4nYc";
const HEX = "0123456789abcdef0123456789abcdef01234567";
const NIX = "/nix/store/1x8b3sdpq5mz7fk2hj4l9cvn6wgy0rai-zlib-1.3.1";
const ACCOUNT = JSON.stringify({ type: "service_account", private_key_id: HEX, private_key: `${RANDOM}\n${RANDOM}` });
const PEM = `-----BEGIN RSA PRIVATE KEY-----\n${RANDOM}${RANDOM}\n${RANDOM}\n-----END RSA PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----\n${RANDOM}\n-----END CERTIFICATE-----`;
const JWT = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${RANDOM}${RANDOM}`;

const secrets = { values: ["the-key-of-the-model"], hasToken: (text: string) => tokensIn(text).length > 0 };

function judged(env: Record<string, string | undefined>) {
  return checkVariables(env, secrets);
}

/** As a job has them: name, value. */
const PASSED: readonly (readonly [name: string, value: string])[] = [
  // setup-java, setup-go, setup-python, setup-node, rust, nix
  ["JAVA_HOME", "/opt/hostedtoolcache/Java_Temurin-Hotspot_jdk/17.0.9-9/x64"],
  ["JAVA_HOME_17_X64", "/usr/lib/jvm/temurin-17-jdk-amd64"],
  ["GOROOT", "/opt/hostedtoolcache/go/1.23.4/x64"],
  ["GOFLAGS", "-mod=mod"],
  ["GOPROXY", "https://proxy.golang.org,direct"],
  ["pythonLocation", "/opt/hostedtoolcache/Python/3.12.1/x64"],
  ["LD_LIBRARY_PATH", "/opt/hostedtoolcache/Python/3.12.1/x64/lib"],
  ["PKG_CONFIG_PATH", "/opt/python/lib/pkgconfig"],
  ["PNPM_HOME", "/home/runner/setup-pnpm/node_modules/.bin"],
  ["CARGO_HOME", "/home/runner/.cargo"],
  ["RUSTFLAGS", "-D warnings -C target-cpu=native"],
  ["CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER", "x86_64-linux-gnu-gcc"],
  ["NIX_LDFLAGS", `-rpath ${NIX}/lib -L${NIX}/lib:${NIX}/lib64`],
  ["CFLAGS", `-isystem${NIX}/include,--sysroot=${NIX}`],
  ["ANDROID_HOME", "/usr/local/lib/android/sdk"],
  ["DOTNET_ROOT", "/usr/share/dotnet"],
  ["NODE_OPTIONS", "--max-old-space-size=4096 --import tsx"],
  ["JAVA_TOOL_OPTIONS", "-Dfile.encoding=UTF8 -Xmx2g"],
  ["MAVEN_OPTS", "-Djavax.net.ssl.trustStorePassword=changeit"],
  // what env: says
  ["NODE_ENV", "test"],
  ["FORCE_COLOR", "1"],
  ["EMPTY", ""],
  ["RAILS_ENV", "test"],
  ["CI_NODE_INDEX", "0"],
  ["COMMIT", HEX],
  ["RUN_UUID", "3f2504e0-4f89-41d3-9a0c-0305e82c3301"],
  ["IMAGE", `ghcr.io/acme/app@sha256:${HEX}89abcdef0123456789abcdef`],
  ["MATRIX", '{"node": 20, "os": "ubuntu-24.04"}'],
  ["CORS_ORIGINS", "http://localhost:3000 http://localhost:4000"],
  ["DISPLAY", ":99"],
  ["CERTIFICATE", CERTIFICATE],
  ["ImageVersion", "20251120.1.0"],
  // services
  ["DATABASE_URL", "postgres://postgres:postgres@localhost:5432/app_test"],
  ["DATABASE_URL_OF_SERVICE", "postgresql://app:s3cr3tpw@db:5432/app?sslmode=disable"],
  ["JDBC_URL", "jdbc:postgresql://127.0.0.1:5432/app?user=app&password=app"],
  ["MYSQL_DSN", "root:s3cr3tpw@tcp(127.0.0.1:3306)/app?parseTime=true"],
  ["MYSQL_URL", "mysql2://root:root@host.docker.internal/app"],
  ["REDIS_URL", "redis://:s3cr3tpw@[::1]:6379/0"],
  ["MONGO_URL", "mongodb://app:s3cr3tpw@mongo1:27017,mongo2:27018/app"],
  ["AMQP_URL", "amqp://guest:guest@rabbitmq"],
  ["SQL_CONNECTION", "Server=tcp:localhost,1433;Database=app;User Id=sa;Password=Str0ng!Passw0rd"],
  ["PG_CONNECTION", "host=postgres port=5432 user=app password=s3cr3tpw"],
  ["PDO", "mysql:host=db;dbname=app"],
  ["KAFKA_BROKERS", "kafka-1:9092,kafka-2:9092"],
  ["DOCKER_HOST", "unix:///var/run/docker.sock"],
  ["API_URL", "https://api.example.com/v1/things"],
  ["TOKEN_URL", "https://login.example.com/oauth/token"],
  ["ORIGIN", "ssh://git@github.com/acme/app.git"],
  ["REMOTE_DATABASE", "postgres://postgres@db.example.com/app"],
  ["ASSET", `https://cdn.example.com/assets/${HEX}/app.js`],
  ["POSTGRES_PASSWORD", "postgres"],
  ["MYSQL_ALLOW_EMPTY_PASSWORD", "yes"],
  ["PGPASSWORD", ""],
  ["DB_PASS", "password"],
  ["AWS_ACCESS_KEY_ID", "test"],
  ["AWS_SECRET_ACCESS_KEY", "test"],
  ["AWS_DEFAULT_REGION", "eu-central-1"],
  // names that only look like a secret's
  ["TOKENIZERS_PARALLELISM", "false"],
  ["MAX_TOKENS", "4096"],
  ["TOKEN_RATE", "0.75"],
  ["SECRET_KEY_BASE", "dummy"],
  ["JWT_SECRET", "test-secret-key"],
  ["JWT_PRIVATE_KEY_FILE", "./test/fixtures/jwt.pem"],
  ["AUTHOR", "Mona Lisa"],
  ["BYPASS_CACHE", "some/long-value-2"],
  ["KEYCLOAK_VERSION", "26.0.1-alpine3"],
  ["MONKEY_PATCH", "gevent/threads-1"],
  // the run and the machine
  ["GITHUB_ACTIONS", "true"],
  ["GITHUB_SHA", HEX],
  ["GITHUB_WORKSPACE", "/home/runner/work/app/app"],
  ["RUNNER_OS", "Linux"],
  ["RUNNER_TOOL_CACHE", "/opt/hostedtoolcache"],
  // git reads none of these
  ["GIT_COMMIT", HEX],
  ["GIT_AUTHOR_NAME", "Mona Lisa"],
];

/** A person's own that a check does not get: they are told. */
const WITHHELD: readonly (readonly [name: string, value: string])[] = [
  // by name
  ["GITHUB_TOKEN", "abcdefgh"],
  ["GITHUB_PAT_OF_MINE", "abcdefgh"],
  ["GH_TOKEN", "abc-def"],
  ["NPM_TOKEN", "n0t-short"],
  ["NODE_AUTH_TOKEN", "XXXXX-XXXXX-XXXXX-XXXXX"],
  ["OPENAI_API_KEY", "k-1"],
  ["MY_APIKEY", "k-1"],
  ["AWS_ACCESS_KEY_ID", "AKIA-x"],
  ["AWS_SECRET_ACCESS_KEY", "abc/def+9"],
  ["AWS_WEB_IDENTITY_TOKEN_FILE", "/var/run/secrets/token"],
  ["GOOGLE_APPLICATION_CREDENTIALS", "/home/runner/work/app/app/gha-creds-1.json"],
  ["RAILS_MASTER_KEY", "0123456789abcdef"],
  ["APP_KEY", "base64:abc="],
  ["DB_PASSWORD", "hunter2"],
  ["DB_PASSWORD", "correcthorse"],
  ["MYSQL_PWD", "hunter2"],
  ["GMAIL_PASS", "abcdefghijklmnop"],
  ["COMPOSER_AUTH", '{"github-oauth": {"github.com": "x"}}'],
  ["SESSION_COOKIE", "a=b"],
  ["SSH_AUTH_SOCK", "/tmp/ssh-XYZ/agent.1"],
  ["npm_config_//registry.npmjs.org/:_authToken", "x"],
  ["NPM_CONFIG_USERCONFIG", "/home/runner/.npmrc"],
  ["npm_config__auth", "x"],
  ["KUBECONFIG", "/home/runner/.kube/config"],
  ["DOCKER_CONFIG", "/home/runner/.docker"],
  ["GPG_PRIVATE", "x"],
  // by form
  ["SETUP", `ghp_${RANDOM}${RANDOM}`],
  ["NOTE", `uses ghp_${RANDOM}${RANDOM}`],
  ["SIGNED", JWT],
  ["CERT", PEM],
  ["GCP", ACCOUNT],
  ["SETTINGS", '{"db": {"password": "correcthorse1"}}'],
  ["DOTENV", "MODE=x\nDB_PASSWORD=hunter2"],
  ["JAVA_OPTS", "-Xmx1g -Dapi.token=abc-1"],
  // by randomness
  ["SETUP", RANDOM],
  ["FLAGS", `--mode x --with "${RANDOM}"`],
  ["PAIR", `mode=${RANDOM}`],
  ["HOOK", `https://hooks.example.com/services/T0001/${RANDOM}`],
  // by what it holds
  ["COPY", "the-key-of-the-model"],
  ["HEADER", "x-key: the-key-of-the-model"],
  // by where the address leads
  ["DATABASE_URL", "postgres://app:s3cr3tpw@db.example.com:5432/app"],
  ["DATABASE_URL", "postgres://app:s3cr3tpw@10.0.0.5/app"],
  ["MYSQL_DSN", "app:s3cr3tpw@tcp(db.example.com:3306)/app"],
  ["MONGO_URL", "mongodb+srv://app:s3cr3tpw@cluster0.example.net/app"],
  ["MONGO_URL", "mongodb://app:s3cr3tpw@mongo1:27017,mongo.example.com:27017/app"],
  ["JDBC_URL", "jdbc:postgresql://db.example.com/app?user=app&password=s3cr3tpw"],
  ["BLOB", "https://acme.blob.example.net/c?sv=2024&sig=abc%3D"],
  ["SENTRY", "https://abcdef@o1.ingest.example.io/1"],
  ["ORIGINS", "http://localhost:3000 https://joe:pw@git.example.com/a"],
  ["SQL", "Server=db.example.com;Database=app;User Id=sa;Password=hunter2"],
  ["SQL", "AccountName=acme;AccountKey=abc+def=="],
  // what every program runs first, and what leads git astray
  ["BASH_ENV", "/home/runner/env.sh"],
  ["LD_PRELOAD", "/usr/lib/libjemalloc.so.2"],
  ["BASH_FUNC_npm%%", "() { true; }"],
  ["GIT_DIR", "/elsewhere/.git"],
  ["GIT_CONFIG_COUNT", "1"],
  ["GIT_SSH_COMMAND", "ssh -i key"],
];

/** The runner's and the shell's own: not even told. */
const OF_THIS_STEP = [
  ...["ACTIONS_RUNTIME_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_URL", "ACTIONS_CACHE_URL", "ACTIONS_RESULTS_URL"],
  ...["INPUT_API-KEY", "INPUT_PROMPT", "STATE_SMITHERS", "SMITHERS_PROMPT", "GITHUB_ENV", "GITHUB_PATH"],
  ...["GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_STEP_SUMMARY", "GITHUB_EVENT_PATH", "GITHUB_ACTION_PATH"],
  ...["GITHUB_ACTION", "RUNNER_TEMP", "RUNNER_PERFLOG", "npm_package_name", "npm_lifecycle_event", "PWD", "_"],
  ...["INVOCATION_ID", "MEMORY_PRESSURE_WRITE", "TERM"],
];

describe("what checks see of a job's variables", () => {
  test.each(PASSED)("%s=%s passes [C95, T24]", (name, value) => {
    expect(judged({ [name]: value })).toEqual({ passed: { [name]: value }, withheld: [] });
  });

  test.each(WITHHELD)("%s=%s is withheld, and told by its name [C95, T2]", (name, value) => {
    expect(judged({ [name]: value, KEPT: "x" })).toEqual({ passed: { KEPT: "x" }, withheld: [name] });
  });

  test("what is the runner's own is withheld without a word [C95, T2]", () => {
    expect(judged(Object.fromEntries(OF_THIS_STEP.map((name) => [name, "/x"])))).toEqual({ passed: {}, withheld: [] });
  });

  test("what lies in the runner's temporary folder is not there for checks, nor is what names it [C95]", () => {
    const env = { RUNNER_TEMP: "/work/_temp", NODE_OPTIONS: "-r /work/_temp/trace.js", A: "/work/x", B: undefined };
    expect(judged(env)).toEqual({ passed: { A: "/work/x", B: "" }, withheld: ["NODE_OPTIONS"] });
  });

  test("another variable's secret is one wherever it is, and a word that is called a key is none [C95, T2, T24]", () => {
    const env = {
      DB_PASSWORD: "s3cr3t-of-production",
      DATABASE_URL: "postgres://app:s3cr3t-of-production@localhost/app",
      CACHE_KEY: "node_modules",
      NODE_PATH: "/app/node_modules",
      SHORT_PASSWORD: "abc",
      ALPHABET: "/abc",
      PASSWORD_FILE: "/run/secrets/one",
      MOUNTS: "/run/secrets/one:ro",
    };
    expect(judged(env).withheld).toEqual([
      ...["CACHE_KEY", "DATABASE_URL", "DB_PASSWORD", "PASSWORD_FILE", "SHORT_PASSWORD"],
    ]);
  });

  test("passwords that everybody knows are no secrets to be blanked out [T24]", () => {
    const env = { POSTGRES_PASSWORD: "postgres", DATABASE_URL: "postgres://postgres:postgres@localhost/app" };
    expect(secretVariables(env, [])).toEqual([]);
  });
});
