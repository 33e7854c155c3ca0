import { UsageError } from "../core/errors.ts";

/** A command as a shell completes it. */
export interface CompletedCommand {
  readonly name: string;
  readonly about: string;
  /** with their dashes */
  readonly flags: readonly string[];
  /** what may follow it as a word */
  readonly words: readonly string[];
}

const PROGRAMS = ["smithers", "waylon-smithers"];
export const SHELLS = ["bash", "zsh", "fish"] as const;

/**
 * What makes a shell complete commands and flags.
 *
 * @param commands the first is what the program does without a command
 * @throws UsageError for another shell
 */
export function completionFor(shell: string, commands: readonly CompletedCommand[]): string {
  if (shell === "bash") return bash(commands);
  if (shell === "zsh")
    return `#compdef ${PROGRAMS.join(" ")}\nautoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`;
  if (shell === "fish") return fish(commands);
  throw new UsageError({
    code: "SHELL_UNKNOWN",
    what: shell === "" ? "Which shell the completion is for was not said." : `There is no completion for ${shell}.`,
    next: `Name one of ${SHELLS.join(", ")}; for bash: smithers completion bash > ~/.local/share/bash-completion/completions/smithers`,
  });
}

/** All names are ours: letters, digits and dashes. */
function bash(commands: readonly CompletedCommand[]): string {
  const [first] = commands;
  const names = commands.map(({ name }) => name);
  const cases = commands.map(({ name, flags, words }) => `    ${name}) words="${[...words, ...flags].join(" ")}" ;;`);
  return `_smithers() {
  local word command="" words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in ${names.join("|")}) command="$word"; break ;; esac
  done
  case "$command" in
${cases.join("\n")}
    *) words="${[...names, ...(first?.flags ?? [])].join(" ")}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _smithers ${PROGRAMS.join(" ")}
`;
}

function fish(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, about, flags, words }, index) => {
    const within = `__fish_seen_subcommand_from ${name}`;
    // The first is also what the program does without a command.
    const where = index === 0 ? `__fish_use_subcommand; or ${within}` : within;
    return [
      `-n __fish_use_subcommand -a ${name} -d ${quoted(about)}`,
      ...words.map((word) => `-n ${quoted(within)} -a ${word}`),
      ...flags.map((flag) => `-n ${quoted(where)} -l ${flag.replace(/^--/u, "")}`),
    ];
  });
  return `${PROGRAMS.flatMap((program) => lines.map((each) => `complete -c ${program} ${each}`)).join("\n")}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;
}
