import { expect, test } from "vitest";
import { listen } from "../../src/core/control-requests.ts";
import { fakeControl } from "../support/fake-control.ts";

const never = new AbortController().signal;

test.each([
  ["pause", { cut: false, wake: true }],
  ["stop", { cut: true, wake: true }],
  ["cancel", { cut: true, wake: true }],
  ["supersede", { cut: true, wake: true }],
] as const)("%s ends a turn or a sleep: %o [section 4.5]", async (kind, aborted) => {
  const control = fakeControl();
  const requests = listen(control, never);
  await control.request(kind, "smithers stop");
  const request = { kind, by: "smithers stop" };
  expect({ cut: requests.cut.aborted, wake: requests.wake.aborted }).toEqual(aborted);
  expect(requests.strongest()).toEqual(request);
  expect(requests.wake.reason).toEqual(request);
  await requests.close();
});

test.each([
  [["pause", "stop", "cancel"], "cancel"],
  [["cancel", "stop", "pause"], "cancel"],
  [["stop", "pause"], "stop"],
  [["supersede", "cancel"], "supersede"],
] as const)("of %j the strongest counts: %s", async (kinds, strongest) => {
  const control = fakeControl();
  const requests = listen(control, never);
  for (const kind of kinds) await control.request(kind);
  expect(requests.strongest()?.kind).toBe(strongest);
  await requests.close();
});

test("of equal requests the first counts", async () => {
  const control = fakeControl();
  const requests = listen(control, never);
  await control.request("stop", "first");
  await control.request("stop", "second");
  expect(requests.strongest()?.by).toBe("first");
  await requests.close();
});

test("nothing was asked", async () => {
  const requests = listen(fakeControl(), never);
  expect(requests.strongest()).toBeNull();
  await requests.close();
});

test.each([true, false])("the caller's abort is a request to stop (before the run: %s)", async (before) => {
  const caller = new AbortController();
  if (before) caller.abort();
  const requests = listen(fakeControl(), caller.signal);
  caller.abort();
  expect(requests.strongest()).toEqual({ kind: "stop", by: "the caller" });
  expect(requests.cut.aborted).toBe(true);
  await requests.close();
});

test("after the run nobody listens", async () => {
  const caller = new AbortController();
  const requests = listen(fakeControl(), caller.signal);
  await requests.close();
  caller.abort();
  expect(requests.strongest()).toBeNull();
});
