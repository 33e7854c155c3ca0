import { parse } from "yaml";
import { readReview } from "../../src/core/policy/command.ts";
import { issueTask } from "../../src/core/prompt/issue.ts";
import { commandOf, isDispatchable } from "../../src/core/repair/workflow-command.ts";
import { mutated } from "../mutate.ts";
import { hold, target } from "../target.ts";

const WORKFLOWS = [
  "on: { workflow_dispatch: { inputs: { a: { required: true } } } }\nenv: { A: 1 }\njobs:\n  test:\n    runs-on: ubuntu-24.04\n    defaults: { run: { working-directory: app } }\n    steps:\n      - uses: actions/checkout@v7\n      - run: npm test\n        env: { B: it's }\n",
  "on: [push, workflow_dispatch]\njobs:\n  test:\n    strategy: { matrix: { node: [20, 24] } }\n    steps:\n      - name: Test\n        shell: bash\n        run: |\n          npm ci\n          npm test -- ${{ matrix.node }}\n",
];
const NESTS = 20;
const HERE = { platform: "linux", arch: "x64" };

/** Workflow files, of which one step is run. */
export const workflows = target({
  name: "workflows",
  covers: ["core/repair/workflow-command.ts#commandOf", "core/repair/workflow-command.ts#isDispatchable"],
  draw: (random) => ({
    text: mutated(random, {
      seeds: WORKFLOWS,
      words: [
        "${{ secrets.A }}",
        "working-directory: ../x",
        "shell: pwsh",
        "services: { db: {} }",
        "uses: ./x",
        "'",
        "\n",
      ],
    }),
    step: random.one(["Run npm test", "Test", "Run actions/checkout@v7"]),
  }),
  check({ text, step }) {
    let workflow: unknown;
    try {
      // The file is the base's own: a deep nest, which takes the parser long, is nobody's attack.
      if (text.split(/[{[]/u).length > NESTS) return;
      workflow = parse(text, { logLevel: "silent" });
    } catch {
      return;
    }
    isDispatchable(workflow);
    const found = commandOf(workflow, { job: "test", labels: ["ubuntu-24.04"], steps: [step] }, HERE);
    if (!found.ok) return hold(!found.trouble.because.includes("\n"), "a reason is one line");
    hold(!found.value.run.includes("${{"), "nothing that only GitHub knows is run");
    hold(!/^cd -- '(?:\/|(?:.*\/)?\.\.(?:\/|'))/mu.test(found.value.run), "it runs in the repository");
  },
});

/** Issues, which anybody may write: their task says whose words they are. */
export const issues = target({
  name: "issues",
  covers: ["core/prompt/issue.ts#issueTask"],
  draw: (random) => ({
    title: mutated(random, { seeds: ["Fix @alice's bug, closes #3"], words: ["\n", "@", "#1", "GH-1", "\u202E"] }),
    body: mutated(random, {
      seeds: ["It fails.\n<!-- hidden -->\n![a](b)\n```js\n@dec\n```\n@alice fixes #4"],
      words: ["```", "<img src=x>", "</issue>", "\u200B", "@bob", "\r\n"],
    }),
  }),
  check({ title, body }) {
    const task = issueTask({ number: 7, title, body, author: "olga" }, { by: "alice", words: "" });
    const [subject = ""] = task.split("\n");
    hold(subject.startsWith("Issue 7: ") && !/@\w|#\d/u.test(subject), `the subject calls nobody: ${subject}`);
    hold(!/[\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/u.test(task), "nothing in it is hidden");
  },
});

/** Reviews of a loop's pull request. */
export const reviewBodies = target({
  name: "review-bodies",
  covers: ["core/policy/command.ts#readReview"],
  draw: (random) => ({
    body: mutated(random, {
      seeds: ["/smithers\nPlease.", "Shorter.", "/smithers pause"],
      words: ["/smithers ", "\n", "<!--"],
    }),
    requestsChanges: random.once(2),
  }),
  check({ body, requestsChanges }) {
    const read = readReview(body, requestsChanges);
    if (read.kind === "command" && !requestsChanges)
      hold(body.startsWith("/smithers"), "a command is the very beginning");
  },
});
