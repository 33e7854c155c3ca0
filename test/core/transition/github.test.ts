import { describe, expect, test } from "vitest";
import type { Published } from "../../../src/core/events.ts";
import type { GithubLink, LoopState } from "../../../src/core/state.ts";
import type { GithubTask } from "../../../src/core/task.ts";
import { transition } from "../../../src/core/transition.ts";
import { aFailure, aLoopStarted, AT, aState, aTask, aTurnEnded, BOUNDS } from "../../support/builders.ts";

const ASKED: GithubTask = {
  branch: "smithers/a-loop",
  pullRequest: null,
  askedBy: "ada",
  resetsCircuit: false,
  request: "comment:7",
  continuations: 0,
};
const LINK: GithubLink = {
  branch: "smithers/a-loop",
  head: "c0ffee",
  pull_request: { number: 7, url: "https://github.example/o/r/pull/7", own: true },
  authorised_by: "ada",
  obeyed: "comment:6",
  continuations: 2,
};

function resumed(stored: Partial<LoopState>, github: GithubTask | null, guidance: string | null = null): LoopState {
  const { runtime } = aTask();
  return transition(aState(stored), {
    type: "loop_resumed",
    at: AT,
    by: "person",
    runtime,
    max_iterations: 30,
    bounds: BOUNDS,
    guidance,
    github,
    snapshot: null,
  });
}

describe("what a loop has on GitHub when a run begins [C25]", () => {
  test("a loop elsewhere has nothing", () => {
    expect(transition(undefined, aLoopStarted())).toMatchObject({ github: null, guidance: null });
  });

  test("a new loop knows its branch and the person who let it run", () => {
    const state = transition(undefined, aLoopStarted(aTask({ guidance: "Use the v2 API.", github: ASKED })));
    expect(state).toMatchObject({
      github: { branch: ASKED.branch, head: null, pull_request: null, obeyed: "comment:7", continuations: 0 },
      guidance: "Use the v2 API.",
    });
  });

  test("the review that a loop goes on with is kept [C109]", () => {
    const review = { id: 5, commit: "c0ffee", threads: [] };
    expect(resumed({ github: LINK }, { ...ASKED, review }).github).toMatchObject({ review });
    expect(resumed({ github: { ...LINK, review } }, ASKED).github).toMatchObject({ review });
  });

  test("a loop on an issue keeps it, whoever lets it go on and wherever [C107]", () => {
    const state = transition(undefined, aLoopStarted(aTask({ github: { ...ASKED, issue: 12 } })));
    expect(state.github).toMatchObject({ issue: 12 });
    expect(resumed({ github: { ...LINK, issue: 12 } }, { ...ASKED, branch: "other" }).github).toMatchObject({
      issue: 12,
    });
  });

  test("a new loop that nobody has asked for knows nobody", () => {
    const github = { ...ASKED, askedBy: null, request: null };
    const state = transition(undefined, aLoopStarted(aTask({ github })));
    expect(state).toMatchObject({ github: { authorised_by: null, obeyed: null }, guidance: null });
  });

  test("a loop on somebody's pull request is tied to that one", () => {
    const pullRequest = { number: 9, url: "https://github.example/o/r/pull/9", own: false };
    const state = transition(undefined, aLoopStarted(aTask({ github: { ...ASKED, branch: "topic", pullRequest } })));
    expect(state.github).toMatchObject({ branch: "topic", pull_request: pullRequest });
  });

  test.each<[string, GithubTask | null, Partial<GithubLink>]>([
    ["by a person", { ...ASKED, askedBy: "bob" }, { authorised_by: "bob", obeyed: "comment:7", continuations: 0 }],
    [
      "by a trigger",
      { ...ASKED, askedBy: null, request: null, continuations: 3 },
      { head: "c0ffee", authorised_by: "ada", obeyed: "comment:6", continuations: 3 },
    ],
    ["on a person's machine, where it keeps what it has", null, LINK],
    [
      "on another branch, which is another beginning",
      { ...ASKED, branch: "other" },
      { head: null, pull_request: null },
    ],
  ])("resumed: %s", (_title, github, link) => {
    expect(resumed({ github: LINK }, github).github).toMatchObject(link);
  });
});

describe("the words of the person who lets it go on [C10]", () => {
  test("wait for a turn that hears them", () => {
    const asked = resumed({ github: LINK }, ASKED, "Use the v2 API.");
    const refused = transition(asked, aTurnEnded({ failure: aFailure("overloaded") }));
    expect(refused.guidance).toBe("Use the v2 API.");
    expect(transition(refused, aTurnEnded()).guidance).toBeNull();
  });

  test("stay when a run begins without any", () => {
    expect(resumed({ guidance: "Use the v2 API." }, ASKED).guidance).toBe("Use the v2 API.");
  });

  test("need no GitHub, and the newest count", () => {
    expect(resumed({ guidance: "Use the v1 API." }, null, "Use the v2 API.").guidance).toBe("Use the v2 API.");
  });
});

describe("what an ending has come to [C13]", () => {
  const published: Published = { type: "published", at: AT, head: null, pull_request: null, continues: false };

  test("branch and pull request are kept", () => {
    const pull = { number: 8, url: "https://github.example/o/r/pull/8", own: false };
    const state = transition(aState({ github: LINK }), { ...published, head: "beef", pull_request: pull });
    expect(state.github).toMatchObject({ head: "beef", pull_request: pull, continuations: 2 });
  });

  test("nothing pushed leaves the branch where it was; a run that starts the next one counts", () => {
    const state = transition(aState({ github: LINK }), { ...published, continues: true });
    expect(state.github).toMatchObject({ head: "c0ffee", pull_request: null, continuations: 3 });
  });

  test("what is missing is known until it is made up for, or the loop goes on [C25]", () => {
    const unpublished = { what: "branch", base: "b", tip: null, kept_on: null } as const;
    const { pull_request } = LINK;
    const lacking = transition(aState({ github: LINK }), { ...published, pull_request, unpublished });
    expect(lacking.github).toEqual({ ...LINK, unpublished });
    expect(transition(lacking, { ...published, pull_request }).github).toEqual(LINK);
    expect(resumed(lacking, ASKED).github).not.toHaveProperty("unpublished");
    expect(resumed(lacking, null).github).toEqual(LINK);
  });

  test("a loop that has nothing there stays so", () => {
    expect(transition(aState(), published).github).toBeNull();
  });
});
