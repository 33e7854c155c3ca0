import type { Github } from "../../src/github/client.ts";
import { setCommitStatus } from "../../src/github/statuses.ts";
import { addLabels, removeLabel } from "../../src/github/labels.ts";
import { publishPullRequest } from "../../src/github/own-pull-request.ts";
import { shortPauses } from "../support/short-pauses.ts";
import { HEAD, ownPull, stage } from "./stage.ts";
import { afterAll, expect, test } from "vitest";

/** GitHub's client spaces its writes, and asks again after a while: that it does is tried in `client.test.ts`. */
const pauses = shortPauses();
afterAll(() => pauses[Symbol.dispose]());

const STATUS = {
  sha: HEAD,
  state: "success",
  context: "c",
  description: "d",
  targetUrl: "https://github.com",
} as const;
const WISH = { branch: "smithers/a", base: "main", title: "New", body: "Body", draft: false, marker: "m", known: 7 };

interface Row {
  readonly what: string;
  readonly operation: string;
  readonly to: string;
  readonly write: (github: Github) => Promise<unknown>;
}

test.concurrent.for<Row>([
  {
    what: "a status",
    operation: "repos/create-commit-status",
    to: `statuses/${HEAD}`,
    write: (access) => setCommitStatus(access, STATUS),
  },
  {
    what: "a label",
    operation: "issues/add-labels",
    to: "issues/7/labels",
    write: (access) => addLabels(access, 7, ["new"]),
  },
  {
    what: "taking a label off",
    operation: "issues/remove-label",
    to: "issues/7/labels/old",
    write: (access) => removeLabel(access, 7, "old"),
  },
  {
    what: "a text",
    operation: "pulls/update",
    to: "pulls/7",
    write: (access) => publishPullRequest(access, WISH),
  },
])("the repository was renamed while the loop ran: $what is written, not only asked for [C13]", async (row) => {
  const { operation, to, write } = row;
  for (const status of [301, 307]) {
    await using at = await stage();
    const pull = ownPull({ labels: ["old"] });
    at.api.world.issues.push(pull);
    const location = `${at.api.url}/repos/octo/demo/${to}`;
    at.api.fail(operation, { status, headers: { location }, body: { message: "Moved Permanently" } });
    const done = await write(at.patient());
    expect(done).toMatchObject("published" in Object(done) ? { ok: true, value: { notes: [] } } : { ok: true });
    const { statuses } = at.api.world;
    const after = { title: pull.title, labels: pull.labels.join(" "), statuses: statuses.length };
    const before = { title: "Title", labels: "old", statuses: 0 };
    expect(after).not.toEqual(before);
  }
});
