import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { gitRepository } from "../support/git-repository.ts";
import { smithersProgram } from "../support/smithers-program.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { CTRL_C, openTerminal, runIn, type Terminal, viewIn } from "../support/terminal.ts";
import { waitFor } from "../support/wait-for.ts";

const RUN = `smithers "Make greet.sh print hello" --provider scripted --script script.json --full-auto --completion-promise DONE --check-when change --quality-commands '[ "$(sh greet.sh)" = hello ]' --loop-id greet`;
const SAYS_TOO_EARLY = { files: { "greet.sh": "echo helo\n" }, lastMessage: "<promise>DONE</promise>" };
const IS_SILENT = { messages: ["Now I look at the greeting."], silence: true };
const CORRECTS = { files: { "greet.sh": "echo hello\n" }, lastMessage: "Corrected. <promise>DONE</promise>" };
/** The agent's provider takes no more for a while. */
const HAS_TO_WAIT = { attempts: [{ failure: { kind: "usage_limit", resetsInMs: 6_000 } }, CORRECTS] };
const CALLS = [
  "bell",
  expect.stringMatching(/^smithers: greet waiting until \S+: the provider's usage limit is reached/u),
  "bell",
  expect.stringMatching(/^smithers: greet completed: \S/u),
];
/** What the terminal's own shell is told after a command, so that its state shows. */
const STATE = 'stty -a | tr " ;" "\\n\\n" | grep -xE -- "-?(icanon|echo)" | tr "\\n" " "; echo';

/** A terminal in a repository, with an agent that is silent in its second turn. */
async function stage(turns: readonly object[] = [SAYS_TOO_EARLY, IS_SILENT, CORRECTS]) {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(await tempFolder("watched-"));
  const repository = stack.use(await gitRepository({ ".gitignore": "script.json\n" }));
  const home = path.join(folder.path, "home");
  await mkdir(home);
  await writeFile(path.join(repository.path, "script.json"), JSON.stringify({ turns }));
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8", SMITHERS_CHECK_SANDBOX: "off" };
  const terminal = stack.use(await openTerminal(repository.path, env, { columns: 80, rows: 24 }));
  return {
    ...{ terminal, env, repository, root: repository.path },
    state: async (): Promise<unknown> =>
      JSON.parse(await readFile(path.join(repository.path, ".codex/waylon-smithers/loops/greet.json"), "utf8")),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Waits for what is on the screen, and nowhere else. */
async function sees(terminal: Terminal, pattern: RegExp): Promise<void> {
  await waitFor(`the screen to show ${pattern}`, () => pattern.test(terminal.screen())).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${terminal.screen()}`, { cause: error });
  });
}

async function pressed(terminal: Terminal, keys: string, pattern: RegExp): Promise<void> {
  terminal.press(keys);
  await sees(terminal, pattern);
}

/** The terminal reads lines and shows what is typed. @returns what stood on it before */
async function isRestored(terminal: Terminal): Promise<string> {
  await terminal.isAsked();
  const shown = terminal.lines().join("\n");
  expect(terminal.marksPastes()).toBe(false);
  await terminal.enter(STATE);
  await terminal.shows(/(?:^|\s)icanon\s+echo(?:\s|$)|(?:^|\s)echo\s+icanon(?:\s|$)/u);
  return shown;
}

const IS_AT_WORK = /Now: {6}agent says: Now I look[^]*q quit/u;
/** What somebody has looked at stays on the normal screen as its ending, with its page. */
const ENDING = /^Next: [^\n]*\nPage: smithers report greet$/mu;

describe("a person runs a loop with its view", () => {
  test.each(["--watch", "--monitor"])(
    "%s: q goes on with the plain log, and Ctrl+C pauses as ever [C127]",
    async (flag) => {
      await using at = await stage();
      const { terminal } = at;
      await terminal.enter(`${RUN} ${flag}`);
      await sees(terminal, IS_AT_WORK);
      await pressed(terminal, "?", /plain log here/u);
      terminal.press("q");
      await terminal.shows(/Watch: smithers watch greet[^]*Iteration 2 of 30/u);
      expect(await at.state()).toMatchObject({ status: "running", iteration: 2 });
      terminal.press(CTRL_C);
      const shown = await isRestored(terminal);
      expect(shown).toMatch(/loop greet started[^]*Watch: [^]*paused_user_interrupt/u);
      // Nothing that the view has shown is told once more.
      expect(shown).not.toContain("iteration 1 started");
      expect(shown).not.toContain("Now I look");
      expect(await at.state()).toMatchObject({ status: "paused_user_interrupt" });
    },
  );

  test("Ctrl+C in the view pauses the loop, and its ending is on the normal screen [C127]", async () => {
    await using at = await stage();
    await at.terminal.enter(`${RUN} --watch`);
    await sees(at.terminal, IS_AT_WORK);
    at.terminal.press(CTRL_C);
    const shown = await isRestored(at.terminal);
    expect(shown).toMatch(/ending the turn[^]*paused_user_interrupt/u);
    expect(shown).toMatch(ENDING);
    expect(await at.state()).toMatchObject({ status: "paused_user_interrupt" });
  });

  test("Ctrl+Z stops view and loop, and fg goes on with both [C124, C145]", async () => {
    await using at = await stage();
    await at.terminal.enter(`${RUN} --watch`);
    await sees(at.terminal, IS_AT_WORK);
    at.terminal.press("\u001A");
    await isRestored(at.terminal);
    expect(await readFile(`/proc/${await runIn(at.root)}/stat`, "utf8")).toMatch(/\) T /u);
    await pressed(at.terminal, "fg\r", IS_AT_WORK);
  });

  test("a loop that waits for a limit and ends calls both times, stays until it is left, and exits as ever [C127, C129]", async () => {
    await using at = await stage([SAYS_TOO_EARLY, HAS_TO_WAIT]);
    await at.terminal.enter(`${RUN} --watch --notify; echo "code $?"`);
    await sees(at.terminal, /Wait: {5}waiting until \S+/u);
    await waitFor("the call to the wait", () => at.terminal.heard().length === 2);
    await sees(at.terminal, /Status: {3}completed[^]*It has ended. Enter or q leaves/u);
    await pressed(at.terminal, "l", /the end/u);
    await pressed(at.terminal, "\u001B", /It has ended/u);
    at.terminal.press(" ");
    const shown = await isRestored(at.terminal);
    expect(shown).toMatch(/^(?![^]*^Next: [^]*^Next: )[^]*code 0$/mu);
    expect(shown).toMatch(ENDING);
    expect(at.terminal.heard()).toEqual(CALLS);
  });

  test.each(["--notify", "--quiet --notify"])(
    "the terminal is called once at a wait for a limit, and once at the end: %s [C129]",
    async (flags) => {
      await using at = await stage([SAYS_TOO_EARLY, HAS_TO_WAIT]);
      await at.terminal.enter(`${RUN} ${flags}`);
      expect(await isRestored(at.terminal)).toMatch(/completed/u);
      expect(at.terminal.heard()).toEqual(CALLS);
    },
  );

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "%s to the loop ends the view, and pauses it as ever [C127]",
    async (signal) => {
      await using at = await stage();
      await at.terminal.enter(`${RUN} --watch`);
      await sees(at.terminal, IS_AT_WORK);
      process.kill(await runIn(at.root), signal);
      const shown = await isRestored(at.terminal);
      expect(shown).toMatch(ENDING);
      expect(shown).toContain(`ending the turn or the checks that run now (${signal})`);
      expect(await at.state()).toMatchObject({ status: "paused_user_interrupt" });
    },
  );

  test.each(["SIGKILL", "SIGTERM"] as const)(
    "%s of the view leaves the loop unharmed, with its plain log [C127]",
    async (signal) => {
      await using at = await stage();
      const { terminal } = at;
      await terminal.enter(`${RUN} --watch`);
      await sees(terminal, IS_AT_WORK);
      process.kill(await viewIn(at.root), signal);
      await terminal.shows(/Iteration 2 of 30/u);
      if (signal === "SIGKILL") await terminal.shows(/the view is gone \(SIGKILL\); the loop goes on/u);
      expect(await at.state()).toMatchObject({ status: "running", iteration: 2 });
      terminal.press(CTRL_C);
      expect(await isRestored(terminal)).toMatch(ENDING);
      expect(await at.state()).toMatchObject({ status: "paused_user_interrupt" });
    },
  );

  test("kill -9 of the loop takes the view away, and the terminal is as it was [C127]", async () => {
    await using at = await stage();
    await at.terminal.enter(`${RUN} --watch`);
    await sees(at.terminal, IS_AT_WORK);
    const view = await viewIn(at.root);
    process.kill(await runIn(at.root), "SIGKILL");
    await waitFor("the view to go", async () => (await viewIn(at.root).catch(() => undefined)) !== view);
    // The shell has asked on the screen that is gone.
    at.terminal.press("\r");
    expect(await isRestored(at.terminal)).not.toMatch(/q quit/u);
    expect(await at.state()).toMatchObject({ status: "running" });
  });

  test("a terminal that is closed pauses the loop [C127]", async () => {
    await using at = await stage();
    await at.terminal.enter(`${RUN} --watch`);
    await sees(at.terminal, IS_AT_WORK);
    await at.terminal[Symbol.asyncDispose]();
    await waitFor("its end", async () => (await runIn(at.root).catch(() => undefined)) === undefined);
    expect(await at.state()).toMatchObject({ status: "paused_user_interrupt" });
  });

  test("Ctrl+C in the pager is the pager's [C123, C127]", async () => {
    await using at = await stage();
    const { terminal } = at;
    const pager = 'trap "echo caught > caught.txt; exit" INT; echo reading; read -r line';
    await writeFile(path.join(at.root, "pager.sh"), pager);
    await terminal.enter(`PAGER="/bin/sh pager.sh" ${RUN} --watch`);
    await sees(terminal, IS_AT_WORK);
    await pressed(terminal, "o", /reading/u);
    terminal.press(CTRL_C);
    await sees(terminal, IS_AT_WORK);
    expect(await readFile(path.join(at.root, "caught.txt"), "utf8")).toBe("caught\n");
    expect(await at.state()).toMatchObject({ status: "running", iteration: 2 });
    terminal.press(CTRL_C);
    expect(await isRestored(terminal)).toMatch(ENDING);
  });

  test("kill -9 of a view in whose pager somebody reads leaves Ctrl+C to the loop [C127]", async () => {
    await using at = await stage();
    const { terminal } = at;
    await writeFile(path.join(at.root, "pager.sh"), 'trap "" INT; echo reading; read -r line');
    await terminal.enter(`PAGER="/bin/sh pager.sh" ${RUN} --watch`);
    await sees(terminal, IS_AT_WORK);
    await pressed(terminal, "o", /reading/u);
    process.kill(await viewIn(at.root), "SIGKILL");
    await terminal.shows(/the view is gone/u);
    terminal.press(CTRL_C);
    await waitFor("its pause", async () => JSON.stringify(await at.state()).includes('"paused_user_interrupt"'));
    await terminal.shows(/ending the turn or the checks that run now \(SIGINT\)/u);
    expect(JSON.stringify(await at.state())).toContain('"paused_user_interrupt"');
  });

  test("a signal to the loop does not wait for who reads in the pager [C127]", async () => {
    await using at = await stage();
    const { terminal } = at;
    await writeFile(path.join(at.root, "pager.sh"), "echo reading; read -r line");
    await terminal.enter(`PAGER="/bin/sh pager.sh" ${RUN} --watch`);
    await sees(terminal, IS_AT_WORK);
    await pressed(terminal, "o", /reading/u);
    process.kill(await runIn(at.root), "SIGTERM");
    await waitFor("its pause", async () => JSON.stringify(await at.state()).includes('"paused_user_interrupt"'));
    terminal.press("\r");
    expect(await isRestored(terminal)).toMatch(ENDING);
  });

  test.each([
    ["keys cannot come", `${RUN} --watch < /dev/null`, /no terminal to draw on and to take keys from/u],
    ["the terminal is dumb", `TERM=dumb ${RUN} --watch`, /TERM is dumb/u],
  ])("says so in one line and goes on with the plain log where %s [C127]", async (_, command, why) => {
    await using at = await stage([SAYS_TOO_EARLY, CORRECTS]);
    await at.terminal.enter(command);
    const shown = await isRestored(at.terminal);
    expect(shown).toMatch(why);
    expect(shown.match(/The view cannot be shown/gu)).toHaveLength(1);
    expect(shown).toMatch(/iteration 2 started[^]*completed/u);
  });
});

describe("the view finds the loop of its run", () => {
  const SPEC =
    "# Greeting\n\nPeople are greeted.\n\n## US-001: Say hello\n\nAs a customer, I want it.\n\n**Acceptance criteria**\n\n- greet.sh says hello\n";

  test("of a PRD in a work tree of its own, by the program's other name [C127, D-01]", async () => {
    await using at = await stage([IS_SILENT, IS_SILENT]);
    const { terminal, root, repository } = at;
    await writeFile(path.join(root, "spec.md"), SPEC);
    await terminal.enter("smithers prd new greeting --from spec.md");
    await terminal.isAsked();
    await repository.git("add", ".");
    await repository.git("commit", "-qm", "docs: a PRD");
    const daedalus = path.join(at.env.HOME, "daedalus");
    await symlink(smithersProgram().script, daedalus);
    await terminal.enter(
      `"${process.execPath}" ${daedalus} run greeting --worktree on --watch --provider scripted --script ${root}/script.json --full-auto --quality-commands 'sh greet.sh'`,
    );
    await sees(terminal, IS_AT_WORK);
    await pressed(terminal, "s", /stories$[^]*\[>\] US-001/mu);
    // In one piece, as over a slow line.
    terminal.press(`d${CTRL_C}`);
    expect(await isRestored(terminal)).toMatch(/paused_user_interrupt[^]*^Page: smithers report /mu);
    await terminal.enter("smithers watch");
    await sees(terminal, /paused_user_interrupt[^]*r run on/u);
    await pressed(terminal, "r", IS_AT_WORK);
    terminal.press(CTRL_C);
    expect(await isRestored(terminal)).toMatch(/paused_user_interrupt[^]*^Page: smithers report /mu);
  });

  test("in a state file of its own, while the log goes to a file [C127]", async () => {
    await using at = await stage();
    const { terminal } = at;
    await terminal.enter(`${RUN} --state-file .codex/own.json --watch 2> log.txt`);
    await sees(terminal, IS_AT_WORK);
    expect(await readFile(path.join(at.root, "log.txt"), "utf8")).toMatch(/iteration 1 started[^]*Now I look/u);
    terminal.press(CTRL_C);
    expect(await isRestored(terminal)).toMatch(/^Page: smithers report --state-file \.codex\/own\.json$/mu);
  });
});

describe("a person lets a loop go on from the view", () => {
  test("another loop is looked at, and does not go on where one runs already; Ctrl+C is for that one [C127, C128]", async () => {
    await using at = await stage();
    const { terminal } = at;
    await terminal.enter(RUN.replace("--loop-id greet", "--loop-id other"));
    await terminal.shows(/the agent says: Now I look/u);
    terminal.press(CTRL_C);
    await terminal.isAsked();
    await terminal.enter(`${RUN} --watch`);
    await sees(terminal, IS_AT_WORK);
    await pressed(terminal, "w", /2 loops, 1 running[^]*other/u);
    terminal.press(terminal.screen().includes("› other") ? "\r" : "j\r");
    await sees(terminal, /^other {2}paused_user_interrupt/u);
    await pressed(terminal, "r", /Go on with it in another terminal: smithers resume/u);
    terminal.press(CTRL_C);
    expect(await isRestored(terminal)).toMatch(ENDING);
    expect(await at.state()).toMatchObject({ loop_id: "greet", status: "paused_user_interrupt" });
  });

  test.each(["nonsense", '{"pid":1,"runs":"begun","modes":null}'])(
    "a view that nobody has started for a run has none behind it, whatever the environment says: %s [C127]",
    async (said) => {
      await using at = await stage();
      const { terminal, state } = at;
      await terminal.enter(RUN);
      await terminal.shows(/the agent says: Now I look/u);
      await using other = await openTerminal(at.root, { ...at.env, SMITHERS_VIEW_OF: said }, { columns: 80, rows: 24 });
      await other.enter("smithers watch");
      await sees(other, IS_AT_WORK);
      other.press("q");
      expect(await isRestored(other)).toMatch(/^Watch: smithers watch greet$/mu);
      expect(await state()).toMatchObject({ status: "running" });
    },
  );

  /** A loop that was paused in its second turn, and goes on from `smithers watch`. */
  async function goesOn() {
    const at = await stage([SAYS_TOO_EARLY, IS_SILENT, IS_SILENT, CORRECTS]);
    const { terminal } = at;
    await terminal.enter(RUN);
    await terminal.shows(/the agent says: Now I look/u);
    terminal.press(CTRL_C);
    await terminal.isAsked();
    await terminal.enter("smithers watch");
    await sees(terminal, /Status: {3}paused_user_interrupt[^]*r run on/u);
    await pressed(terminal, "r", IS_AT_WORK);
    await pressed(terminal, "q", /Leave: l log here {2}p pause {2}c cancel/u);
    return at;
  }

  test("r resumes it in this terminal, and q asks: its plain log here [C128, R-25, D-29]", async () => {
    await using at = await goesOn();
    const { terminal } = at;
    await pressed(terminal, "d", /^(?![^]*Leave: )[^]*q quit/u);
    await pressed(terminal, "q", /Leave: l/u);
    terminal.press("l");
    await terminal.shows(/Watch: smithers watch greet[^]*Iteration \d of 30/u);
    expect(await at.state()).toMatchObject({ status: "running" });
    terminal.press(CTRL_C);
    expect(await isRestored(terminal)).toMatch(ENDING);
    expect(await at.state()).toMatchObject({ status: "paused_user_interrupt" });
  });

  test("q asks: pause after the iteration [C128]", async () => {
    await using at = await goesOn();
    at.terminal.press("p");
    await at.terminal.shows(/pausing after this iteration \(smithers watch\)/u);
    at.terminal.press(CTRL_C);
    expect(await isRestored(at.terminal)).toMatch(ENDING);
  });

  test("q asks: cancel it for good [C128]", async () => {
    await using at = await goesOn();
    at.terminal.press("c");
    expect(await isRestored(at.terminal)).toMatch(ENDING);
    expect(await at.state()).toMatchObject({ status: "canceled" });
  });

  test("r in the view of a run that was stopped there, and it is proved in the next view [C127, C128]", async () => {
    await using at = await stage();
    const { terminal } = at;
    await terminal.enter(`${RUN} --watch; echo "code $?"`);
    await sees(terminal, IS_AT_WORK);
    await pressed(terminal, "x", /Stop it now/u);
    await pressed(terminal, "y", /Status: {3}paused_user_interrupt[^]*r run on/u);
    await pressed(terminal, "r", /Status: {3}completed/u);
    terminal.press("q");
    await terminal.shows(/code \d+$/mu);
    const shown = await isRestored(terminal);
    expect(shown).toMatch(/paused_user_interrupt[^]*^Page: [^]*completed[^]*^Page: [^]*code 0$/mu);
  });

  test("what nobody has agreed to for longer is asked on the normal screen first [C128, T8]", async () => {
    await using at = await stage([SAYS_TOO_EARLY, IS_SILENT, IS_SILENT]);
    const { terminal, root } = at;
    await writeFile(path.join(root, ".smithers.toml"), 'success-sh = "sh greet.sh"\n');
    await terminal.enter(`${RUN} --trust`);
    await terminal.shows(/the agent says: Now I look/u);
    terminal.press(CTRL_C);
    await terminal.isAsked();
    await terminal.enter("smithers watch");
    await sees(terminal, /r run on/u);
    terminal.press("r");
    await terminal.shows(/\.smithers\.toml line 1 \[success-sh\] runs[^]*\[y\/N\]/u);
    expect(terminal.screen()).not.toMatch(/Status:/u);
    terminal.press("yes\r");
    await terminal.shows(/greet\.json \[success-sh\] runs[^]*\[y\/N\]/u);
    await pressed(terminal, "yes\r", IS_AT_WORK);
    terminal.press(CTRL_C);
    expect(await isRestored(terminal)).toMatch(ENDING);
  });
});
