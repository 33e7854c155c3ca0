import { inJob, type Row } from "./row.ts";

/** T1 to T24 of docs/threats.md. */
export const THREATS: readonly Row[] = [
  {
    id: "T1",
    attack: "instructions in comments, invisible characters, edits after the trigger",
    by: "only the words of who may write; fenced, frozen, without what a reader cannot see",
    proofs: [
      "core/prompt/hostile-text.test.ts: what a reader cannot see reaches no agent",
      "core/policy/command.test.ts: is left out [T1]",
      "requests/relay-refusals.test.ts: a comment that was changed or deleted since",
    ],
  },
  {
    id: "T2",
    attack: "the agent asks Codex's process, files and network for the key",
    by: "a proxy of ours; Codex has a token of one turn",
    proofs: [
      "agents/codex/key.long.test.ts: stays with us when the agent searches as the same user",
      inJob("its turn finds no secret of the job"),
    ],
  },
  {
    id: "T2",
    attack: "a process of an earlier step that polls /proc reads what main was started with",
    by: "nothing: SECURITY.md says so",
    proofs: ["redteam/brought.long.test.ts: a process of an earlier step reads what main was started with"],
    told: "A process of an earlier step that watches `/proc`",
  },
  {
    id: "T2",
    attack: "another process of root reads main's memory",
    by: "nothing: SECURITY.md and the run say so",
    proofs: [inJob("main's memory is closed, unless the job is root's, which is told")],
    told: "another process of root reads the memory of ours",
  },
  {
    id: "T2",
    attack: "the job that runs the agent has a token that writes, and a user who becomes root by sudo",
    by: "split jobs, drop-sudo, where the workflow asks for them: SECURITY.md says so",
    proofs: [
      "action/split-example.long.test.ts: runs with a token that reads, stops at a HARD STOP, and publishes in another job",
      "job/drop-sudo.test.ts: sudo and Docker are gone, by a rule and an entry for this user, and that is said",
    ],
    told: "A job that is not split",
  },
  {
    id: "T2",
    attack: "a split loop's first job, taken over, hands over a record, commits and words of its own",
    by: "the job that publishes believes nothing of it that it can find out itself",
    proofs: [
      "action/split-hostile.long.test.ts: a commit with a secret that the first job did not know is not pushed",
      "action/split-hostile.long.test.ts: an artifact of another run is not even looked at",
      "action/split-hostile.long.test.ts: a sealed hand-over that somebody without the key has made is refused",
      "action/split-hostile.long.test.ts: a record that names somebody's pull request reaches only the loop's own",
      "action/split-example.long.test.ts: runs with a token that reads, stops at a HARD STOP, and publishes in another job",
    ],
  },
  {
    id: "T2",
    attack: "what the agent has left becomes root by sudo, or by Docker, and reads the job's memory",
    by: "drop-sudo: on",
    proofs: ["job/drop-sudo.test.ts: sudo and Docker are gone, by a rule and an entry for this user, and that is said"],
  },
  {
    id: "T3",
    attack: "the check is code of the work",
    by: "isolation of checks; its text comes from the settings",
    proofs: [
      inJob("the check that it has bent finds out nothing"),
      "views/pull-request.test.ts: what the work could have made its own checks green with",
    ],
  },
  {
    id: "T2",
    attack: "a check prints the job's variables, for a token, a password or a key among them",
    by: "what has a secret's name, form or randomness is withheld from checks; the agent has a list of its own",
    proofs: [
      "core/policy/check-variables.test.ts: is withheld, and told by its name",
      "core/policy/check-variables.test.ts: what is the runner's own is withheld without a word",
      "action/check-env.test.ts: a check has what env: and setup steps put there, the agent has not",
    ],
  },
  {
    id: "T3",
    attack:
      "the job's library path leads into the workspace, where the agent puts one for the programs that isolate checks",
    by: "what the job adds is set for the check alone, inside",
    proofs: ["checks/run-check.test.ts: has its variables to itself"],
  },
  {
    id: "T3",
    attack: "the work bends an action that CI uses, and the green is set under the name of a required check",
    by: "only a run whose workflow and local actions are the base's is mirrored",
    proofs: ["publish/mirror-ci.long.test.ts: where its files are the base's"],
  },
  {
    id: "T3",
    attack: "checks run without isolation, and nobody knows",
    by: "it is told before the first turn; require-isolation refuses",
    proofs: [inJob("that they are not is told before the first turn")],
  },
  {
    id: "T4",
    attack: "a comment, a label or a run by who may not ask",
    by: "GitHub is asked what the account may do",
    proofs: [
      "action/authorisation.long.test.ts: what happens, by who does what",
      "core/policy/may.test.ts: who may ask",
    ],
  },
  {
    id: "T5",
    attack: "a run that an outsider caused starts a privileged one",
    by: "everybody behind it has to be allowed",
    proofs: ["requests/verify-run.test.ts: was an outsider's", "requests/authorise.test.ts: everybody behind a run"],
  },
  {
    id: "T6",
    attack: "a commit is approved and another one run; somebody pushes meanwhile",
    by: "the commit is pinned; pushes have a lease",
    proofs: [
      "job/plan-job-run.test.ts: a pull request that was pushed to after it was asked on",
      "git/branch.test.ts: somebody pushed meanwhile: nothing is pushed",
    ],
  },
  {
    id: "T7",
    attack: "a fork's pull request or run",
    by: "refused, and never checked out",
    proofs: [
      "action/authorisation.long.test.ts: what happens, by who does what",
      "requests/relay.test.ts: on a fork's pull request is refused",
    ],
  },
  {
    id: "T8",
    attack: "the agent writes AGENTS.md, .codex/, .mcp.json for the next one",
    by: "protected paths",
    proofs: [
      "core/boundary.test.ts: is protected [T8, T17]",
      "git/change-guard.test.ts: is refused, and the change is in no commit of ours",
    ],
  },
  {
    id: "T8",
    attack: "the same, and tells git to ignore it",
    by: "a walk of the work tree that asks git nothing",
    proofs: [
      "git/change-guard.test.ts: count as changed, by whatever file they are ignored, and are in no tree of ours",
    ],
  },
  {
    id: "T8",
    attack: "a pull request's check writes AGENTS.md and .codex/ before the first turn",
    by: "instructions of the base when each turn begins, whatever lies there",
    proofs: [
      "action/base.long.test.ts: does not by what its check writes before the first turn either, which git is told to ignore",
      "git/work-tree/other-version.test.ts: what something has written there counts as well, also where git ignores it",
    ],
  },
  {
    id: "T8",
    attack: "a pull request's AGENTS.md and .codex/ steer the agent",
    by: "instructions from the base commit",
    proofs: [
      "action/base.test.ts: does not: settings and instructions are the base's",
      "action/base.long.test.ts: does not either when a person lets a loop work on it",
    ],
  },
  {
    id: "T9",
    attack: "a message that is several outputs; values in run: of recipes",
    by: "the toolkit's random delimiter; a linter over all workflows",
    proofs: [
      inJob("what it says is one output and no command"),
      "scripts/lint-workflows.test.ts: a mistake in each kind of file is found, with its place",
    ],
  },
  {
    id: "T10",
    attack: "commands to the runner in whatever is printed",
    by: "one place that everything passes",
    proofs: [
      "action/log.long.test.ts: nothing that agent, check, prompt, paths and commits say reaches the runner as a command",
    ],
  },
  {
    id: "T11",
    attack: "later steps are poisoned through files of commands or the Action's code",
    by: "a read-only machine; emptied files; post loads what was shipped",
    proofs: [
      inJob("neither the Action, nor the runner's files, nor a home is changed by turn or check"),
      "reporters/job-files.test.ts: nothing that somebody else has written into the step's files",
      "action/hand-over.long.test.ts: that the agent has rewritten does not run, and post says so",
    ],
  },
  {
    id: "T12",
    attack: "hooks, filters, monitors, drivers and rewritten addresses in git's configuration",
    by: "git directories of our own; no foreign configuration",
    proofs: [
      "action/checkouts-hostile.long.test.ts: neither main nor post runs a program of it, and the token goes nowhere else",
      "git/hostile.test.ts: nothing that the repository's configuration, hooks or attributes name is run",
      "git/branch-hostile.test.ts: nothing planted runs, and the token is sent to the one server only",
    ],
  },
  {
    id: "T13",
    attack: "credentials that the checkout left, in every form",
    by: "taken out while the agent works, put back by post",
    proofs: ["job/credentials.test.ts: are out while the agent works, and back afterwards"],
  },
  {
    id: "T14",
    attack: "an archive that writes outside, is of somebody else, or grows without end",
    by: "names rewritten, a manifest of digests, bounds",
    proofs: [
      "redteam/carried.long.test.ts: a forged ref and a poisoned cache run nothing, write nowhere else and push to no branch",
      "carry/cache-faults.long.test.ts: absolute members, `..` and links write nothing outside",
      "carry/bundle.test.ts: what the record names has to be it, to the last byte",
      "carry/zip-archive.test.ts: a file is never written over",
    ],
  },
  {
    id: "T15",
    attack: "a look-alike artifact, a forged record, ref, marker or dispatch",
    by: "own repository and workflow only; a strict schema; the worker asks GitHub again",
    proofs: [
      "redteam/carried.long.test.ts: a forged ref and a poisoned cache run nothing, write nowhere else and push to no branch",
      "job/target-branch.test.ts: never to the base by a record alone",
      "carry/artifact.long.test.ts: a look-alike of a fork is refused",
      "action/machines-refused.long.test.ts: a newer artifact of the same name by a run of",
      "store/carried-record.test.ts: is refused with",
      "requests/verify-person.test.ts: that there is not, or whose pull request is not named, is forged",
    ],
  },
  {
    id: "T16",
    attack: "transcripts that everybody can read",
    by: "redaction; state-key seals",
    proofs: [
      "action/publish-secrets.long.test.ts: nothing that a loop says on GitHub holds a secret of its job",
      "carry/bundle.test.ts: with a key, nothing of the files can be read in the bundle",
    ],
  },
  {
    id: "T16",
    attack: "an agent that was given a secret encodes it as nobody knows",
    by: "nothing: SECURITY.md says so",
    proofs: ["redteam/held.long.test.ts: can encode it as nobody knows"],
    told: "An agent that holds a secret can encode it",
  },
  {
    id: "T17",
    attack: "changed workflows, huge work, mentions and closing words",
    by: "protected paths, caps, words of others broken up",
    proofs: [
      "action/protected.long.test.ts: is told, then stopped: nothing is pushed, dispatched or completed",
      "git/change-guard.test.ts: too many files or bytes are refused, with the numbers",
      "publish/publish-hostile.long.test.ts: what a task says does not act on GitHub",
    ],
  },
  {
    id: "T17",
    attack: "a split loop's first job, taken over, says that protected files were otherwise when the work began",
    by: "the job that publishes finds out again what the work is built on",
    proofs: [
      "git/handed-commits.test.ts: an older commit that the work is said to have begun with excuses nothing",
      "action/split-hostile.long.test.ts: does not undo that file",
      "action/split-hostile.long.test.ts: are not pushed, whatever the first job let pass",
    ],
  },
  {
    id: "T18",
    attack: "isolation takes rights away from the machine and breaks it",
    by: "namespaces change nothing outside; the one repair is told",
    proofs: [
      "os/isolation.test.ts: nothing outside of it, not even as root",
      "agents/with-sandbox-repair.test.ts: a sandbox that Ubuntu's restriction breaks is repaired before the loop begins, and that is said",
    ],
  },
  {
    id: "T19",
    attack: "processes that outlive turn or check",
    by: "a namespace that ends with the check; trees, groups and marks elsewhere",
    proofs: [
      inJob("no process of turn or check outlives the job"),
      "os/process-tree.test.ts: what a process leaves behind is gone when it has ended",
      "redteam/person.long.test.ts: nothing of theirs is changed, and nothing stays",
    ],
  },
  {
    id: "T19",
    attack: "a command as the agent leaves a process that hides",
    by: "isolation of turns",
    proofs: [inJob("leaves no process")],
  },
  {
    id: "T20",
    attack: "cost without end, and a loop that starts itself",
    by: "caps that count failures; own events start nothing; the kill switch",
    proofs: [
      "core/stop/before.test.ts: the cap is reached",
      "core/stop/wait.test.ts: a turn is a call when it begins",
      "github/kill-switch.test.ts: switches loops off",
      "action/authorisation.long.test.ts: what happens, by who does what",
    ],
  },
  {
    id: "T21",
    attack: "another version or program in place of the pinned one; actions that are not pinned",
    by: "exact versions, no scripts; a linter over all workflows",
    proofs: [
      "agents/codex/install.long.test.ts: neither the checkout's npm settings nor a package's scripts have a say",
      "agents/codex/install.long.test.ts: a package that brings another version is not used",
      "scripts/lint-workflows.test.ts: what is committed is without mistakes",
    ],
  },
  {
    id: "T22",
    attack: "a promise without work, an echo, tests made weaker",
    by: "commands judge; only the last message claims; weak proofs are refused",
    proofs: [
      "core/claim/read-claim.test.ts: a promise in an earlier message does not count",
      "core/claim/promise.test.ts: promise-guard code",
      "core/stop/weak-proof.test.ts: a green success command that proves little is refused",
      "core/story/judge.test.ts: by a check whose own script the story has changed it counts apart",
    ],
  },
  {
    id: "T22",
    attack: "the checks of one story leave what git ignores, and those of the next one are green by it",
    by: "nothing: SECURITY.md says so",
    proofs: [
      "action/waves-land-hostile.long.test.ts: what git ignores stays from the checks of one story to those of the next",
    ],
    told: "The stories that one closing job proves",
  },
  {
    id: "T23",
    attack: "the turn sends what it found to a server",
    by: "Codex's sandbox has no network",
    proofs: [inJob("its turn reaches no server, and the check does, which SECURITY.md says")],
  },
  {
    id: "T23",
    attack: "a check, or a command as the agent, sends the code away",
    by: "nothing: they have the network, SECURITY.md says so",
    proofs: [inJob("its turn reaches no server, and the check does, which SECURITY.md says")],
    told: "Checks have the network",
  },
  {
    id: "T24",
    attack: "masks of common words, and outputs that vanish",
    by: "only our own secrets are masked, none shorter than 8 characters",
    proofs: [
      "store/redaction.test.ts: secrets are masked as they are and as they look encoded; what is short would blank out words",
      "core/policy/secret-variables.test.ts: nothing else is blanked out",
      "os/token-formats.test.ts: words and placeholders are no tokens",
    ],
  },
];
