import { expect, test } from "vitest";
import { controlRefOf } from "../../src/core/control-requests.ts";
import type { Github } from "../../src/github/client.ts";
import { createRef } from "../../src/github/refs.ts";
import { asking, HEAD, LOOP } from "../support/asking.ts";

const ORDER = { kind: "stop", login: "wendy", id: 31 } as const;

const requestControl = (github: Github, order: Parameters<typeof controlRefOf>[1]) =>
  createRef(github, controlRefOf(LOOP, order), HEAD);

test("a request to a loop that runs is a ref, and asking twice is asking once", async () => {
  await using at = await asking();
  expect(await requestControl(at.github, ORDER)).toMatchObject({ ok: true });
  expect(await requestControl(at.github, ORDER)).toMatchObject({ ok: true });
  expect(await requestControl(at.github, { ...ORDER, kind: "cancel", id: 32 })).toMatchObject({ ok: true });
  expect(await at.refs("refs/smithers-control/")).toEqual([
    `refs/smithers-control/${LOOP}/cancel/wendy-32`,
    `refs/smithers-control/${LOOP}/stop/wendy-31`,
  ]);
});

test("a login with what no ref may hold makes a ref all the same", async () => {
  await using at = await asking();
  expect(await requestControl(at.github, { ...ORDER, login: "renovate[bot]" })).toMatchObject({ ok: true });
  expect(await at.refs("refs/smithers-control/")).toEqual([`refs/smithers-control/${LOOP}/stop/renovate.bot-31`]);
});

test("a token that may not write refs is told which permission it needs", async () => {
  await using at = await asking({ contents: "read" });
  expect(await requestControl(at.github, ORDER)).toEqual({
    ok: false,
    trouble: { kind: "refused", because: "the token may not do this; give the job permissions: contents: write" },
  });
});
