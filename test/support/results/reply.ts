/** What the service answers. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What it does instead of answering: nothing for ever, or break the connection off. */
export type Fault = Reply | "hang" | "drop";

/** An error in Twirp's form. */
export function refuse(status: number, code: string, msg: string): Reply {
  return { status, body: { code, msg } };
}
