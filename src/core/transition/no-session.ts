/** What the state says of the agent's session before the first turn of a fresh one. */
export const NO_SESSION = { session_id: null, session_iterations: 0, session_usage: null } as const;
