import { z } from "zod";
import { repositoryPath } from "../documents.ts";
import { issueDocument, issueEventDocument, labelDocument, labelIn } from "../issue-documents.ts";
import {
  type Answer,
  bodyOf,
  type Exchange,
  type Handlers,
  invalid,
  listed,
  NOT_FOUND,
  refused,
} from "../operation.ts";
import { aLabel, type IssueEventRow, type IssueRow } from "../rows.ts";
import { ofIssue, scopeOf } from "./comments.ts";
import type { World } from "../world.ts";

const NewIssue = z.object({ title: z.coerce.string(), body: z.string().default("") });
const Edit = z.object({ title: z.coerce.string().optional(), body: z.string().optional() });
const NewLabel = z.object({
  name: z.string(),
  color: z.string().default("ededed"),
  description: z.string().nullable().default(null),
});
const Labels = z.object({ labels: z.array(z.union([z.string(), z.object({ name: z.string() })])) });

/** Issues and what pull requests share with them: labels, and the events that labels leave behind. */
export const ISSUES: Handlers = {
  "issues/get": {
    needs: ofIssue("read"),
    handle: (exchange) => {
      const issue = issueIn(exchange);
      return issue === undefined ? NOT_FOUND : { status: 200, body: issueDocument(exchange.world, issue) };
    },
  },
  "issues/create": {
    needs: { issues: "write" },
    handle: (exchange) => {
      const { world, login } = exchange;
      const { title, body } = bodyOf(exchange, NewIssue);
      const at = { number: world.nextId(), author: login, createdAt: world.now() };
      const issue: IssueRow = { ...at, title, body, state: "open", labels: [], pull: null };
      world.issues.push(issue);
      return { status: 201, body: issueDocument(world, issue) };
    },
  },
  "issues/update": {
    needs: ofIssue("write"),
    handle: (exchange) => {
      const issue = issueIn(exchange);
      if (issue === undefined) return NOT_FOUND;
      editIssue(issue, bodyOf(exchange, Edit), exchange.world.now());
      return { status: 200, body: issueDocument(exchange.world, issue) };
    },
  },
  "issues/create-label": {
    needs: { issues: "write" },
    handle: (exchange) => {
      const { world } = exchange;
      const label = bodyOf(exchange, NewLabel);
      const { name, color, description } = label;
      const wrong = wrongName(name);
      if (wrong !== undefined) return wrong;
      if (labelIn(world, name) !== undefined) return invalid("Label", "name", "already_exists");
      if (!/^[0-9a-f]{6}$/iu.test(color)) return invalid("Label", "color", "invalid");
      if ((description ?? "").length > 100)
        return invalid("Label", "description", "too_long", "description is too long (maximum is 100 characters)");
      world.labels.push(label);
      return { status: 201, body: labelDocument(world, name) };
    },
  },
  "issues/get-label": {
    // Either of the two will do.
    needs: ({ may }) => (may["pull-requests"] === undefined ? { issues: "read" } : { "pull-requests": "read" }),
    handle: ({ world, params }) => {
      const label = labelIn(world, params["name"] ?? "");
      return label === undefined ? NOT_FOUND : { status: 200, body: labelDocument(world, label.name) };
    },
  },
  "issues/list-labels-on-issue": {
    needs: ofIssue("read"),
    handle: (exchange) => {
      const issue = issueIn(exchange);
      return issue === undefined ? NOT_FOUND : labelsOf(exchange, issue);
    },
  },
  "issues/add-labels": { needs: ofIssue("write"), handle: addLabels },
  "issues/remove-label": { needs: ofIssue("write"), handle: removeLabel },
  "issues/list-events": {
    needs: ofIssue("read"),
    handle: (exchange) => {
      const { world } = exchange;
      const issue = issueIn(exchange);
      if (issue === undefined) return NOT_FOUND;
      const rows = world.issueEvents.filter((row) => row.issue === issue.number).toSorted((a, b) => a.id - b.id);
      const path = `${repositoryPath(world)}/issues/${issue.number}/events`;
      return listed(exchange, path, rows, (row) => issueEventDocument(world, row));
    },
  },
  "issues/get-event": {
    needs: ({ world, params }) => scopeOf(world, eventIn(world, params)?.issue ?? 0, "read"),
    handle: ({ world, params }) => {
      const event = eventIn(world, params);
      const issue = world.issues.find(({ number }) => number === event?.issue);
      if (event === undefined || issue === undefined) return NOT_FOUND;
      return { status: 200, body: { ...issueEventDocument(world, event), issue: issueDocument(world, issue) } };
    },
  },
};

function issueIn({ world, params }: Exchange): IssueRow | undefined {
  return world.issues.find(({ number }) => String(number) === params["issue_number"]);
}

/** Somebody changes an issue: what its text was is kept, and an event tells of another title. */
export function editIssue(issue: IssueRow, { title, body }: z.output<typeof Edit>, at: Date): void {
  if (title !== undefined && title !== issue.title) {
    issue.title = title;
    issue.renamedAt = [...(issue.renamedAt ?? []), at];
  }
  if (body === undefined || body === issue.body) return;
  issue.body = body;
  issue.editedAt = at;
}

function eventIn({ issueEvents }: World, params: Readonly<Record<string, string>>): IssueEventRow | undefined {
  return issueEvents.find(({ id }) => String(id) === params["event_id"]);
}

function wrongName(name: string): Answer | undefined {
  return name.length > 50
    ? invalid("Label", "name", "too_long", "name is too long (maximum is 50 characters)")
    : undefined;
}

/** Labels differ by more than the case of their letters. */
function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function labelsOf(exchange: Exchange, { number, labels }: IssueRow): Answer {
  const { world } = exchange;
  const path = `${repositoryPath(world)}/issues/${number}/labels`;
  return listed(exchange, path, labels, (name) => labelDocument(world, name));
}

function addLabels(exchange: Exchange): Answer {
  const { world, login, may } = exchange;
  const issue = issueIn(exchange);
  if (issue === undefined) return NOT_FOUND;
  const names = bodyOf(exchange, Labels).labels.map((label) => (typeof label === "string" ? label : label.name));
  const wrong = names.map(wrongName).find((answer) => answer !== undefined);
  if (wrong !== undefined) return wrong;
  // To put one on that there is takes less than to make one, and without that right none of them is put on.
  if (may["issues"] !== "write" && names.some((name) => labelIn(world, name) === undefined))
    return refused(403, "You do not have permission to create labels on this repository.", [
      { resource: "Repository", field: "label", code: "unauthorized" },
    ]);
  for (const name of names) addLabel(world, issue, name, login);
  return { status: 200, body: issue.labels.map((name) => labelDocument(world, name)) };
}

/** Somebody puts a label on an issue, now; the event of it, or undefined if it had it. */
export function addLabel(world: World, issue: IssueRow, label: string, author: string): IssueEventRow | undefined {
  if (labelIn(world, label) === undefined) world.labels.push(aLabel({ name: label }));
  if (issue.labels.some((name) => same(name, label))) return undefined;
  issue.labels.push(label);
  return eventOf(world, issue, "labeled", label, author);
}

function eventOf(world: World, issue: IssueRow, event: IssueEventRow["event"], label: string, author: string) {
  const row = { id: world.nextId(), issue: issue.number, event, label, author, createdAt: world.now() };
  world.issueEvents.push(row);
  return row;
}

function removeLabel(exchange: Exchange): Answer {
  const { world, params, login } = exchange;
  const issue = issueIn(exchange);
  if (issue === undefined) return NOT_FOUND;
  const label = issue.labels.find((name) => same(name, params["name"] ?? ""));
  if (label === undefined) return refused(404, "Label does not exist");
  issue.labels.splice(issue.labels.indexOf(label), 1);
  eventOf(world, issue, "unlabeled", label, login);
  return { status: 200, body: issue.labels.map((name) => labelDocument(world, name)) };
}
