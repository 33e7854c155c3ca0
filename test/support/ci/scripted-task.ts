/** The repository's files and the inputs of a task whose agent follows a script. */
export interface ScriptedTask {
  readonly files: Record<string, string>;
  readonly inputs: Record<string, string>;
}

/** Turns as `docs/scripted-agent.md` describes them. */
export type Turns = readonly Readonly<Record<string, unknown>>[];

/** A task that is done as soon as `done.txt` is there, which the given turns may write. */
export function scriptedTask(turns: Turns): ScriptedTask {
  return {
    files: { "README.md": "hello\n", "agent.json": `${JSON.stringify({ turns })}\n` },
    inputs: {
      prompt: "Write done.txt.",
      "success-sh": "test -f done.txt",
      provider: "scripted",
      script: "agent.json",
      sandbox: "workspace-write",
    },
  };
}
