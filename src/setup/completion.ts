import { UsageError } from "../core/errors.ts";

/** A command as a shell completes it. */
export interface CompletedCommand {
  readonly name: string;
  readonly about: string;
  readonly flags: readonly CompletedFlag[];
  /** what may follow it as a word */
  readonly words: readonly string[];
}

interface CompletedFlag {
  /** with its dashes */
  readonly flag: string;
  /** the only values that it takes; absent: others as well, or none */
  readonly choices?: readonly string[];
}

const PROGRAMS = ["smithers", "waylon-smithers"];
export const SHELLS = ["bash", "zsh", "fish"] as const;

/**
 * What makes a shell complete commands, flags and their values.
 *
 * @param commands the first is what the program does without a command
 * @throws UsageError for another shell
 */
export function completionFor(shell: string, commands: readonly CompletedCommand[]): string {
  if (shell === "bash") return bash(commands);
  if (shell === "zsh") return zsh(commands);
  if (shell === "fish") return fish(commands);
  throw new UsageError({
    code: "SHELL_UNKNOWN",
    what: shell === "" ? "Which shell the completion is for was not said." : `There is no completion for ${shell}.`,
    next: `Name one of ${SHELLS.join(", ")}; for bash: smithers completion bash > ~/.local/share/bash-completion/completions/smithers`,
  });
}

/** All names are ours: letters, digits and dashes. */
function bash(commands: readonly CompletedCommand[]): string {
  return `_smithers() {
  local word command="" candidates previous="\${COMP_WORDS[COMP_CWORD-1]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    ${commandIn(commands)}
  done
${candidateLines(commands, (words) => `candidates="${words.join(" ")}"`)}
  COMPREPLY=($(compgen -W "$candidates" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _smithers ${PROGRAMS.join(" ")}
`;
}

/** For a file of `fpath` as well as for `source`. Where nothing of ours fits, zsh completes files. */
function zsh(commands: readonly CompletedCommand[]): string {
  return `#compdef ${PROGRAMS.join(" ")}
_smithers() {
  local word command="" previous="\${words[CURRENT-1]}"
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    ${commandIn(commands)}
  done
${candidateLines(commands, (words) => `candidates=(${words.join(" ")})`)}
  compadd -a candidates || _files
}
if [ "$funcstack[1]" = _smithers ]; then _smithers "$@"; else compdef _smithers ${PROGRAMS.join(" ")}; fi
`;
}

function commandIn(commands: readonly CompletedCommand[]): string {
  return `case "$word" in ${commands.map(({ name }) => name).join("|")}) command="$word"; break ;; esac`;
}

/** What can follow in `$command`, or as the value of the flag `$previous`, as bash and zsh both read it. */
function candidateLines(
  commands: readonly CompletedCommand[],
  setTo: (candidates: readonly string[]) => string,
): string {
  const [first] = commands;
  const flagsOf = (flags: readonly CompletedFlag[]): readonly string[] => flags.map(({ flag }) => flag);
  const all = new Map(commands.flatMap(({ flags }) => flags.map(({ flag, choices = [] }) => [flag, choices] as const)));
  return [
    '  case "$command" in',
    ...commands.map(({ name, flags, words }) => `    ${name}) ${setTo([...words, ...flagsOf(flags)])} ;;`),
    `    *) ${setTo([...commands.map(({ name }) => name), ...flagsOf(first?.flags ?? [])])} ;;`,
    "  esac",
    '  case "$previous" in',
    ...[...all].flatMap(([flag, choices]) => (choices.length === 0 ? [] : [`    ${flag}) ${setTo(choices)} ;;`])),
    "  esac",
  ].join("\n");
}

function fish(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, about, flags, words }, index) => {
    const within = `__fish_seen_subcommand_from ${name}`;
    // The first is also what the program does without a command.
    const where = index === 0 ? `__fish_use_subcommand; or ${within}` : within;
    return [
      `-n __fish_use_subcommand -a ${name} -d ${quoted(about)}`,
      ...words.map((word) => `-n ${quoted(within)} -a ${word}`),
      ...flags.map(({ flag, choices = [] }) => {
        const values = choices.length === 0 ? "" : ` -x -a ${quoted(choices.join(" "))}`;
        return `-n ${quoted(where)} -l ${flag.replace(/^--/u, "")}${values}`;
      }),
    ];
  });
  return `${PROGRAMS.flatMap((program) => lines.map((each) => `complete -c ${program} ${each}`)).join("\n")}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;
}
