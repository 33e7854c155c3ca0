import { Command, CommanderError, Help, Option } from "commander";
import { type Command as UseCase, type CommandRow, OWN_FLAGS, OWN_SHORT, OWN_VALUES } from "./app/command.ts";
import { COMMANDS } from "./commands/table.ts";
import { commandLineError, refuseMistypedCommand, unknownTopic } from "./commands/usage-errors.ts";
import { exitCodesHelp, perform } from "./commands/perform.ts";
import { prdProgramName, programName } from "./app/shell.ts";
import { VERSION } from "./core/names.ts";
import { HELP_ROWS, SETUP_COMMANDS } from "./setup/commands.ts";
import type { UsageError } from "./core/errors.ts";
import { type CompletedCommand, completionFor, SHELLS } from "./setup/completion.ts";
import { FIRST_SCREEN } from "./setup/first-screen.ts";
import { settingFlags, type SettingFlag } from "./config/describe.ts";

/** The group that the program's other name stands for. */
const PRD = "prd";

const { argv, env, stdout, stderr } = process;
const NOTHING: UseCase = async () => 0;
/** What is said of the program itself. */
const HELPERS: Readonly<Record<string, UseCase>> = {
  help: async ({ operand }) => helpOn(operand),
  version: async () => print(`${VERSION}\n`),
  completion: async ({ operand }) => print(completionFor(operand, commands.map(completed))),
};
const HELP_COMMANDS = HELP_ROWS.map((row) => ({ ...row, perform: HELPERS[row.name] ?? NOTHING }));
const commands = [...COMMANDS, ...SETUP_COMMANDS, ...HELP_COMMANDS];
const prdProgram = prdProgramName(argv[1] ?? "");
const shell = {
  ...{ program: programName(argv[1] ?? ""), cwd: process.cwd(), env, stdout, stderr },
  ...(prdProgram === undefined ? {} : { prdProgram }),
  get noColor() {
    return own.has("no-color");
  },
  // Opened only when a question is asked.
  get stdin() {
    return process.stdin;
  },
};
const flags: Record<string, string[]> = {};
const own = new Map<string, string>();

const WIDEST_TERM = 28;
const PLAIN = new Help();
/** A flag that is wider than its column has what it is about below it: beside it there is no room on 80 columns. */
const HELP_LAYOUT: Partial<Help> = {
  padWidth: (command, helper) => Math.min(WIDEST_TERM, PLAIN.padWidth(command, helper)),
  formatItem: (term, width, about, helper) =>
    term.length <= width
      ? PLAIN.formatItem(term, width, about, helper)
      : `${PLAIN.formatItem(term, width, "", helper)}\n${PLAIN.formatItem("", width, about, helper)}`,
};

/** Adds one spelling of a flag; `text` is its value, `on` for a switch. */
function addFlag(command: Command, option: Option, take: (text: string) => void): void {
  command.addOption(option).on(`option:${option.name()}`, (text: string | null | undefined) => take(text ?? "on"));
}

function addSetting(command: Command, setting: SettingFlag): void {
  const { value, help, defaultText, negated, group } = setting;
  const about = defaultText === undefined ? help : `${help} [${defaultText}]`;
  const set = (name: string, text: string): void => void (flags[name] ??= []).push(text);
  for (const [index, flag] of setting.flags.entries()) {
    const option = new Option(value === undefined ? flag : `${flag} ${value}`, about).helpGroup(`${group}:`);
    addFlag(command, option.hideHelp(setting.hidden || index > 0), (text) => set(flag.slice(2), text));
  }
  if (negated !== undefined) addFlag(command, new Option(negated).hideHelp(), () => set(setting.name, "off"));
}

const HELP_WORDS = ["help", "-h", "--help", "--help-all"];

/** Whether a command may be run, or help shown that tells of it: all flags of all commands take 20 ms of each start. */
function isSpokenOf(command: Command): boolean {
  return command.parent === null || [command.name(), ...HELP_WORDS].some((word) => argv.includes(word));
}

function define(command: Command, row: CommandRow, useCaseOf: (operand: string) => UseCase): void {
  const { operand } = row;
  // The program's own help is not that of its commands.
  if (command.parent !== null) command.helpOption("-h, --help", "Show this.");
  if (operand !== undefined) command.argument(operand.shape, operand.about);
  for (const name of row.own) {
    const value = OWN_VALUES[name];
    const long = value === undefined ? `--${name}` : `--${name} <${value}>`;
    const short = OWN_SHORT[name];
    const flag = short === undefined ? long : `${short}, ${long}`;
    addFlag(command, new Option(flag, row.help?.[name] ?? OWN_FLAGS[name]), (text) => own.set(name, text));
  }
  const settings = isSpokenOf(command) ? settingFlags() : [];
  for (const setting of settings) {
    // `--notify` calls who sits here; whom a job mentions is the Action's alone.
    if (row.own.some((name) => name === setting.name)) continue;
    const isHidden = setting.hidden || row.hides?.has(setting.name) === true;
    if (row.settings?.includes(setting.name) ?? true) addSetting(command, { ...setting, hidden: isHidden });
  }
  if (row.more !== undefined) command.addHelpText("after", `\n${inItsWords(row.more)}`);
  for (const verb of row.verbs ?? [])
    define(command.command(verb.name).description(verb.about), verb, () => verb.perform);
  command.action(async (given: unknown) => {
    const said = Array.isArray(given) ? given.join(" ") : given;
    const text = operand !== undefined && typeof said === "string" ? said : undefined;
    const words = Array.isArray(given) ? given.map(String) : [];
    if (text !== undefined && operand?.setting !== undefined) (flags[operand.setting] ??= []).push(text);
    await end(useCaseOf(text ?? ""), text, words);
  });
}

/** As wide as the terminal; examples as they are typed where the program was called by its other name. */
function inItsWords(help: string): string {
  const words = prdProgram === undefined ? help : help.replaceAll(`smithers ${PRD}`, prdProgram);
  return words.replaceAll(/^\S.*(?:\n\S.*)*/gmu, (prose) =>
    PLAIN.boxWrap(prose.replaceAll("\n", " "), stdout.columns ?? 80),
  );
}

async function print(text: string): Promise<number> {
  stdout.write(text);
  return 0;
}

/** Help on a command, else on the flag of that name, else on those of the groups whose names begin so. */
async function helpOn(topic: string): Promise<number> {
  const wanted = topic.toLowerCase();
  // A verb of a group as well, as in `help prd run`.
  let named: Command | undefined = program;
  for (const word of wanted.split(" ")) named = named?.commands.find((command) => command.name() === word);
  if (named !== undefined) {
    named.outputHelp();
    return 0;
  }
  const shown = settingFlags().filter(({ hidden }) => !hidden);
  const one = shown.filter(({ name }) => name === wanted.replace(/^--/u, ""));
  const flags = one.length > 0 ? one : shown.filter(({ group }) => group.toLowerCase().startsWith(wanted));
  if (flags.length === 0) {
    const groups = [...new Set(settingFlags().map(({ group }) => group))];
    throw unknownTopic(topic, { program: shell.program, commands, groups });
  }
  const part = new Command(shell.program).configureHelp(HELP_LAYOUT).helpOption(false).usage("").description("");
  for (const flag of flags) addSetting(part, flag);
  return print(part.helpInformation().replace(/^Usage:.*\n+/u, ""));
}

/** One letter is as quickly typed as completed. */
function isLong(flag: string) {
  return flag.startsWith("--") ? [{ flag }] : [];
}

/** As a shell completes it. */
function completed({ name, about, settings, own, verbs = [] }: CommandRow): CompletedCommand {
  const taken = settingFlags().filter((flag) => !flag.hidden && (settings?.includes(flag.name) ?? true));
  const flags = [
    ...own.flatMap((flag) => [`--${flag}`, OWN_SHORT[flag] ?? ""]).flatMap(isLong),
    ...taken.flatMap(({ flags: [flag], choices }) =>
      flag === undefined ? [] : [{ flag, ...(choices && { choices }) }],
    ),
    { flag: "--help" },
  ];
  const words = name === "completion" ? SHELLS : verbs.map((verb) => verb.name);
  return { name, about, flags, words };
}

async function end(useCase: UseCase, operand = "", words: readonly string[] = []): Promise<never> {
  const invocation = {
    flags,
    operand,
    words,
    json: own.has("json"),
    dryRun: own.has("dry-run"),
    cleanupArtifacts: own.has("cleanup-artifacts"),
    yes: own.has("yes"),
    values: own,
  };
  process.exitCode = await perform(useCase, invocation, shell);
  // Whatever still holds the event loop open, the answer is given.
  return process.exit();
}

/** The arguments, and those behind `--` that the command passes through to the agent's program (L-04). */
function splitPassthrough(words: readonly string[]): readonly [own: readonly string[], passed: readonly string[]] {
  const command = COMMANDS.find(({ name }) => name === words[0]);
  const end = command?.passthrough === true ? words.indexOf("--") : -1;
  return end === -1 ? [words, []] : [words.slice(0, end), words.slice(end + 1)];
}

/** What is the matter with the arguments, in the words of the group of commands that they were for. */
function mistakeIn(words: readonly string[], message: string): UsageError {
  const group = commands.find(({ name, verbs }) => verbs !== undefined && name === (prdProgram ? PRD : words[0]));
  if (group?.verbs === undefined) return commandLineError(message, shell.program, commands);
  return commandLineError(message, prdProgram ?? `${shell.program} ${group.name}`, group.verbs);
}

const program = new Command(prdProgram ?? shell.program)
  .version(VERSION)
  .helpCommand(false)
  .configureHelp(HELP_LAYOUT)
  .enablePositionalOptions()
  .exitOverride()
  .configureOutput({ writeErr: () => undefined });
if (prdProgram === undefined) {
  program
    .helpOption("--help-all", "Show this: every command and every flag.")
    .addOption(new Option("-h, --help").hideHelp())
    .on("option:help", () => {
      stdout.write(FIRST_SCREEN);
      process.exit(0);
    })
    .description("Runs a coding agent again and again until the work is proved done.")
    .usage('"<prompt>" [options]')
    .addHelpText("after", `\n${exitCodesHelp()}`);
}
for (const row of commands) {
  if (prdProgram !== undefined) {
    if (row.name === PRD) define(program.description(row.about), row, () => row.perform);
    continue;
  }
  if (row.name === "run") {
    define(program, row, (prompt) => async (invocation, shell) => {
      refuseMistypedCommand(prompt, shell.program, commands);
      return row.perform(invocation, shell);
    });
  }
  define(program.command(row.name).description(row.about), row, () => row.perform);
}

try {
  const [words, passed] = splitPassthrough(argv.slice(2));
  if (passed.length > 0) flags["provider-args"] = [JSON.stringify(passed)];
  await program.parseAsync(words, { from: "user" });
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  if (error.exitCode === 0) process.exit(0);
  if (argv.includes("--json")) own.set("json", "on");
  await end(async () => {
    throw mistakeIn(argv.slice(2), error.message);
  });
}
