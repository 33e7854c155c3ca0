import { type AgentEvent, NO_USAGE, type ProviderFailure, type Usage } from "../../src/core/agent.ts";

/** What happens in a turn. */
interface TurnScript {
  /** the last message; "" for none */
  readonly message?: string;
  /** null: the agent never tells its session */
  readonly sessionId?: string | null;
  readonly usage?: Usage;
  readonly sessionUsage?: Usage | null;
  /** in millionths of a USD; absent: not known */
  readonly cost?: number;
  /** paths of files that change; one new tree of the fake workspace, however many they are */
  readonly changes?: readonly string[];
  readonly failure?: ProviderFailure;
}

/** The events of one turn: session, changes, message, end. */
export function aTurn(script: TurnScript = {}): readonly AgentEvent[] {
  const { message = "", sessionId = "session-1", usage = NO_USAGE, sessionUsage = null, changes = [] } = script;
  const cost = script.cost === undefined ? {} : { cost: script.cost };
  const end = { lastMessage: message, usage, sessionUsage, ...cost };
  return [
    ...(sessionId === null ? [] : [{ type: "session.started" as const, sessionId }]),
    ...(changes.length === 0 ? [] : [filesChanged(changes)]),
    ...(message === "" ? [] : [{ type: "message" as const, text: message }]),
    script.failure === undefined
      ? { type: "turn.completed", exitCode: 0, ...end }
      : { type: "turn.failed", exitCode: 1, failure: script.failure, ...end },
  ];
}

function filesChanged(paths: readonly string[]): AgentEvent {
  return { type: "files.changed", changes: paths.map((path) => ({ path, kind: "update" })) };
}
