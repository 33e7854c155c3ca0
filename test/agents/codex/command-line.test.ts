import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  codexArguments,
  type CodexOptions,
  resetsPath,
  retryArguments,
  sandboxArguments,
} from "../../../src/agents/codex/command-line.ts";
import { ReconnectLimit } from "../../../src/agents/codex/turn.ts";
import { tempFolder } from "../../support/temp-folder.ts";

const OPTIONS: CodexOptions = {
  workspaceRoot: "/work space",
  folder: "/loops/one",
  mark: "m",
  env: { HOME: "/nowhere" },
  sandbox: "workspace-write",
  model: null,
  profile: null,
  approval: null,
  network: false,
  skipGitRepoCheck: false,
  extraArgs: [],
};
const ALWAYS = [
  ...["-c", "features.unbounded_connection_retries=false"],
  ...["-c", "features.goals=false"],
  ...["-c", "shell_environment_policy.ignore_default_excludes=false"],
];

describe("the command of a turn [C15]", () => {
  test("a fresh session [W-35]", () => {
    expect(codexArguments(OPTIONS, { iteration: 3, sessionId: null })).toEqual([
      ...["exec", "--json", "-C", "/work space", "-s", "workspace-write", ...ALWAYS],
      ...["-c", "sandbox_workspace_write.network_access=false"],
      ...["-o", "/loops/one/last_message_iter_3.txt", "-"],
    ]);
  });

  test("a session that a forged state made a flag is not resumed, and never reaches Codex [T15]", () => {
    const flag = "--dangerously-bypass-approvals-and-sandbox";
    expect(codexArguments(OPTIONS, { iteration: 3, sessionId: flag })).toEqual(
      codexArguments(OPTIONS, { iteration: 3, sessionId: null }),
    );
  });

  test("a resumed session, with everything before the word resume [R-19, W-35]", () => {
    const options: CodexOptions = {
      ...OPTIONS,
      sandbox: "danger-full-access",
      model: "gpt-5.5",
      profile: "ci",
      approval: "on-request",
      skipGitRepoCheck: true,
      extraArgs: ["--add-dir", "/other"],
    };
    expect(codexArguments(options, { iteration: 4, sessionId: "id" })).toEqual([
      ...["exec", "--json", "-C", "/work space", "-s", "danger-full-access", "-m", "gpt-5.5", "-p", "ci"],
      ...["--skip-git-repo-check", ...ALWAYS, "-c", 'approval_policy="on-request"', "--add-dir", "/other"],
      ...["-o", "/loops/one/last_message_iter_4.txt", "resume", "id", "-"],
    ]);
  });

  test.each([
    ["on-request", true],
    ["never", true],
    ["on-failure", false],
    ["untrusted", false],
  ])("the approval %s is sent: %s [C19]", (approval, sent) => {
    const args = codexArguments({ ...OPTIONS, approval }, { iteration: 1, sessionId: null });
    expect(args.includes(`approval_policy="${approval}"`)).toBe(sent);
  });

  test.each([
    ["workspace-write", true, ["-c", "sandbox_workspace_write.network_access=true"]],
    ["workspace-write", false, ["-c", "sandbox_workspace_write.network_access=false"]],
    ["read-only", true, []],
  ] as const)("the probe of %s with network %s asks for the sandbox of the turn [C26]", (sandbox, network, extra) => {
    expect(sandboxArguments({ ...OPTIONS, sandbox, network }, ["true"])).toEqual([
      ...["sandbox", "-c", `sandbox_mode="${sandbox}"`, ...extra, "--", "true"],
    ]);
  });

  test("a check runs in the sandbox of the turns, and its own flags stay its own [C26]", () => {
    expect(sandboxArguments(OPTIONS, ["sh", "-c", "npm test"])).toEqual([
      ...sandboxArguments(OPTIONS, ["true"]).slice(0, -1),
      ...["sh", "-c", "npm test"],
    ]);
  });
});

describe("Codex's own retries are turned down where that cannot break anything [D-36]", () => {
  const custom = '[model_providers.mine]\nname = "mine"\n';
  const both = [
    ...["-c", "model_providers.mine.request_max_retries=0"],
    ...["-c", "model_providers.mine.stream_max_retries=1"],
  ];
  test.each<[name: string, files: Record<string, string>, extraArgs: string[], expected: string[]]>([
    ["no configuration", {}, [], []],
    ["the built-in provider", { "config.toml": 'model = "m"\n[features]\nplugins = false\n' }, [], []],
    ["a provider of the user", { "config.toml": `model_provider = "mine"\n${custom}` }, [], both],
    ["a provider of the profile", { "config.toml": custom, "ci.config.toml": 'model_provider = "mine"\n' }, [], both],
    ["a provider chosen by an argument", { "config.toml": custom }, ["-c", 'model_provider="mine"'], both],
    ["a provider that is defined elsewhere", { "config.toml": 'model_provider = "mine"\n' }, [], []],
    ["a choice below a heading", { "config.toml": `${custom}[other]\nmodel_provider = "mine"\n` }, [], []],
    [
      "a number that the user has chosen",
      { "config.toml": `model_provider = "mine"\n${custom}stream_max_retries = 9\n[model_providers.b]\nname = "b"\n` },
      [],
      both.slice(0, 2),
    ],
  ])("%s", async (_name, files, extraArgs, expected) => {
    await using home = await tempFolder();
    await mkdir(path.join(home.path, ".codex"));
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(home.path, ".codex", name), text);
    const args = retryArguments({ env: { HOME: home.path }, profile: "ci", extraArgs });
    expect(args).toEqual(expected);
  });
});

describe("reconnects are counted for providers that take no setting [D-36]", () => {
  const http = "Connection failed: error sending request";
  const socket = "unexpected status 404 Not Found, url: wss://example.invalid/v1/responses";
  test.each<[name: string, tries: [number, number, string][], reached: boolean[]]>([
    [
      "the second try over HTTPS is enough",
      [
        [1, 5, http],
        [2, 5, http],
      ],
      [false, true],
    ],
    [
      "tries over WebSocket begin with 2 and go on",
      [
        [2, 5, http],
        [3, 5, http],
        [4, 5, http],
      ],
      [false, false, false],
    ],
    [
      "tries over WebSocket are known by their address",
      [
        [1, 5, socket],
        [2, 5, socket],
      ],
      [false, false],
    ],
    [
      "each request may try once",
      [
        [1, 5, http],
        [1, 5, http],
      ],
      [false, false],
    ],
    [
      "another limit is the user's choice",
      [
        [1, 9, http],
        [2, 9, http],
        [3, 9, http],
      ],
      [false, false, false],
    ],
  ])("%s", (_name, tries, reached) => {
    const limit = new ReconnectLimit();
    expect(tries.map((tried) => limit.isReached(...tried))).toEqual(reached);
  });
});

/** As they are in the images and systems of that name. */
const DEBIAN = `if [ "$(id -u)" -eq 0 ]; then
  PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
else
  PATH="/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games"
fi
export PATH
`;
const UBUNTU = `if [ "\${PS1-}" ]; then
  if [ "\${BASH-}" ] && [ "$BASH" != "/bin/sh" ]; then
    if [ -f /etc/bash.bashrc ]; then . /etc/bash.bashrc; fi
  fi
fi
`;
const FEDORA = `pathmunge () {
    case ":\${PATH}:" in
        *:"$1":*) ;;
        *) if [ "$2" = "after" ] ; then PATH=$PATH:$1; else PATH=$1:$PATH; fi ;;
    esac
}
export PATH USER LOGNAME
`;
const MACOS = "if [ -x /usr/libexec/path_helper ]; then\n\teval `/usr/libexec/path_helper -s`\nfi\n";
const ALPINE_OLD = "export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\nexport PAGER=less\n";
const ALPINE =
  'append_path () {\n\tcase ":$PATH:" in *:"$1":*) ;; *) PATH="${PATH:+$PATH:}$1" ;; esac\n}\nappend_path "/usr/bin"\n';

test.each<[system: string, profile: string, resets: boolean]>([
  ["Debian", DEBIAN, true],
  ["Ubuntu", UBUNTU, false],
  ["Fedora", FEDORA, false],
  ["macOS", MACOS, true],
  ["Alpine to 3.16", ALPINE_OLD, true],
  ["Alpine", ALPINE, false],
  ["a system with no such file", "", false],
  ["a comment", "# PATH=/bin is set by pam, not by path_helper\n", false],
  ["more in front", 'export PATH="/opt/bin:${PATH}"\nMANPATH=/x\n', false],
])("a login shell of %s forgets what was put on the PATH: %s [C97]", (_system, profile, resets) => {
  expect(resetsPath(profile)).toBe(resets);
});

test("where a login shell forgets the PATH, commands run in none, unless a person says so [C97]", () => {
  const args = codexArguments(
    { ...OPTIONS, pathResets: true, extraArgs: ["-c", "allow_login_shell=true"] },
    { iteration: 1, sessionId: null },
  );
  const at = (value: string): number => args.indexOf(value);
  expect(at("allow_login_shell=false")).toBeGreaterThan(0);
  expect(at("allow_login_shell=true")).toBeGreaterThan(at("allow_login_shell=false"));
});
