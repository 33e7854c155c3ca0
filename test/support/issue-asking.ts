import { readEventPayload } from "../../src/github/event-payload.ts";
import { type Asking, asking, type Event, RELAY } from "./asking.ts";
import { addLabel } from "./github-api/operations/issues.ts";
import { aComment, anIssue, type CommentRow, type IssueRow, moment, type Token } from "./github-api/server.ts";
import { commentEvent, type Event as Happened, labelEvent } from "./github-api/webhooks.ts";

/** What the relay of the recipe for issues may do. */
const ISSUE_RELAY: Token["permissions"] = { ...RELAY, issues: "write" };

/** GitHub as `asking` has it, with issue 12 of `olga`, who is nobody here; written in minute 12. */
export interface IssueAsking extends Asking {
  readonly issue: IssueRow;
  /** Somebody comments on the issue; in minute 30, as the event tells it. */
  commentOnIssue(body: string, author?: string): { readonly row: CommentRow; readonly event: Event };
  /** Somebody puts a label on the issue; in minute 30. */
  labelIssue(label: string, author: string): Promise<{ readonly id: number; readonly event: Event }>;
}

export async function issueAsking(permissions = ISSUE_RELAY): Promise<IssueAsking> {
  const at = await asking(permissions);
  const { world } = at.api;
  world.now = () => moment(30);
  const issue = anIssue({ number: 12, author: "olga", title: "done.txt is missing", body: "Please write done.txt." });
  world.issues.push(issue);
  return {
    ...at,
    issue,
    commentOnIssue(body, author = "wendy") {
      const row = aComment({ id: world.nextId(), issue: 12, author, body, createdAt: moment(30) });
      world.comments.push(row);
      return { row, event: asEvent(commentEvent(world, row)) };
    },
    async labelIssue(label, author) {
      const row = addLabel(world, issue, label, author);
      if (row === undefined) throw new Error("it has that label");
      return { id: row.id, event: asEvent(await labelEvent(world, row)) };
    },
  };
}

/** An event as the Action reads it. */
export function asEvent({ name, payload }: Happened): Event {
  const workflow = { path: ".github/workflows/smithers.yml", file: "smithers.yml", ref: "refs/heads/main" };
  const repository = { id: 1001, owner: "octo", name: "demo" };
  return { eventName: name, event: readEventPayload(JSON.stringify(payload)), repository, workflow, attempt: 1 };
}
