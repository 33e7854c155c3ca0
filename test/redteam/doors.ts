import { inJob, type Row } from "./row.ts";

/** What stood open once, each of it reproduced then. */
export const DOORS: readonly Row[] = [
  {
    id: "door 1",
    attack:
      "the agent bends the check, which reads secrets from processes, memory, sockets and files, and sends them away",
    by: "isolation of checks (check-sandbox: auto)",
    proofs: [
      inJob("the check that it has bent finds out nothing"),
      inJob("nothing of the job's secrets leaves the machine"),
      inJob("the attacks are real"),
      "redteam/burglar.test.ts: the burglar finds all that a plain program gives away",
      "redteam/person.long.test.ts: the check that it has bent finds no key, token or file of theirs",
      "redteam/check.test.ts: a check that the agent has bent finds, sends, changes and leaves nothing",
    ],
  },
  {
    id: "door 1",
    attack: "a command as the agent does the same in its turn",
    by: "isolation of turns",
    proofs: [inJob("finds out nothing in its turn")],
  },
  {
    id: "door 1",
    attack: "what runs without isolation reads main's environment, or opens its inspector with a signal",
    by: "main goes on without secrets in /proc and without the signal",
    proofs: [inJob("main shows nobody its environment, and opens no inspector")],
  },
  {
    id: "door 1",
    attack: "what runs without isolation reads main's memory",
    by: "a process that its own user cannot read; root can, which is told",
    proofs: [inJob("main's memory is closed, unless the job is root's, which is told")],
  },
  {
    id: "door 2",
    attack: "a forged state file, a broken configuration, a state that was rewritten",
    by: "the proved hand-over from main to post",
    proofs: [
      "action/hand-over.long.test.ts: a state file that the agent's configuration names is not looked at",
      "action/hand-over.long.test.ts: a configuration that the agent has broken does not keep post from saving the work",
      "action/hand-over.long.test.ts: a state that the agent has rewritten is noticed",
      "store/hand-over.test.ts: no file holds a secret",
      "os/isolation.test.ts: the loop's files as they are, whatever is done to the folders above them",
    ],
  },
  {
    id: "door 3",
    attack:
      "turn and check write into the Action's code, the runner's files of commands, the hand-over, the home with keys, consents and Codex's settings, the tool cache, git's hooks and settings",
    by: "a read-only machine, in the turn and in checks",
    proofs: [inJob("neither the Action, nor the runner's files, nor a home is changed by turn or check")],
  },
  {
    id: "door 3",
    attack: "a command as the agent writes into all of them in its turn",
    by: "isolation of turns",
    proofs: [inJob("changes neither the Action, nor the runner's files, nor a home")],
  },
  {
    id: "door 3",
    attack: "post's code, environment or libraries are replaced where nothing is isolated",
    by: "post loads what was shipped, and main's environment; it tells the rest",
    proofs: [
      inJob("a changed Action is not started again, and that is told"),
      "action/hand-over.long.test.ts: what the agent puts into the runner's files starts nothing in post",
      "action/hand-over.long.test.ts: a library that was loaded into post before its first line is told",
    ],
  },
  {
    id: "door 4",
    attack: "git, tar, npm or codex planted in node_modules/.bin or by an empty entry of PATH",
    by: "programs are looked for outside of the workspace",
    proofs: [
      "action/programs.test.ts: in a job neither main nor post starts git or tar of the workspace",
      "cli/programs.long.test.ts: Codex of the workspace never runs",
    ],
  },
  {
    id: "door 5",
    attack: "a clone's .smithers.toml, .codex-solo.json or state runs commands",
    by: "consent of a person to this very content",
    proofs: [
      "redteam/clone.test.ts: a hostile clone runs nothing",
      "cli/consent.long.test.ts: a state that came with a clone runs nothing",
      "cli/consent.long.test.ts: a .codex-solo.json that starts by itself waits for a person as well",
    ],
  },
  {
    id: "door 5",
    attack: "a pull request's .smithers.toml sets commands in a job",
    by: "settings from the base commit",
    proofs: [
      "action/base.test.ts: does not: settings and instructions are the base's",
      "action/base.long.test.ts: a configuration that something has written into the checkout is passed over",
    ],
  },
  {
    id: "door 6",
    attack: "links in place of the loop's files and folders",
    by: "files of ours are opened without following a link",
    proofs: [
      "store/links.test.ts: a loop's folder that became a link is not written through by anything",
      "store/links.test.ts: files of the loop that became links or second names are refused",
      "store/links.test.ts: copies in the workspace do not follow",
    ],
  },
  {
    id: "door 7",
    attack: "the agent rewrites ci.yml, which is to judge it",
    by: "protected paths",
    proofs: [
      "action/protected.long.test.ts: is told, then stopped: nothing is pushed, dispatched or completed",
      "git/change-guard.test.ts: is refused, and the change is in no commit of ours",
    ],
  },
  {
    id: "door 8",
    attack: "the token that the checkout left in .git/config, or in a file that it includes",
    by: "taken out while the agent works, put back by post",
    proofs: [
      "job/credentials.test.ts: are out while the agent works, and back afterwards",
      "job/credentials.test.ts: those of a checkout",
      "job/credentials-handed.test.ts: nothing is written by post where what main wrote down",
      inJob("the credentials of the checkout are back when the job is over"),
    ],
  },
  {
    id: "door 8",
    attack: "the note of what was taken out, and credentials in the home, read in Codex's read-everything sandbox",
    by: "isolation of turns; as root Codex's sandbox does not start in there, which is told",
    proofs: [
      inJob("its turn finds no credential of the machine or the checkout"),
      inJob("credentials of the machine leave it neither"),
      "redteam/person.long.test.ts: its turn finds none of their files",
    ],
  },
  {
    id: "door 9",
    attack:
      "values of pass-env, runtime tokens and the key in log, outputs, comments, commits, artifact, cache and ref",
    by: "redaction, and a push that is refused",
    proofs: [
      "redteam/held.long.test.ts: says it everywhere, and it leaves in no spelling that we know",
      "redteam/held.long.test.ts: has its work kept from the branch",
      inJob("whatever they find, what the services keep holds no secret of the job"),
    ],
  },
  {
    id: "door 9",
    attack: "a daemon without environment, parent and session outlives main and post",
    by: "a namespace of its own that ends with the check",
    proofs: [inJob("no process of turn or check outlives the job")],
  },
  {
    id: "door 9",
    attack: "a fake Codex in the tool cache",
    by: "the hash of the package that it claims to be",
    proofs: ["redteam/brought.long.test.ts: a Codex in the tool cache that somebody changed is not started"],
  },
  {
    id: "door 9",
    attack: "an archive of 3 GB, a stream without an end, a check's output that closes our fence",
    by: "bounds before unpacking, a cap on streams, fences that nothing inside closes",
    proofs: [
      "carry/cache-faults.long.test.ts: one that grows is refused before it has filled the disk",
      "agents/output.test.ts: a stream without an end is cut",
      "core/prompt/hostile-text.test.ts: a check's output cannot close its fence",
    ],
  },
];
