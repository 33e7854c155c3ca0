import { expect, test } from "vitest";
import type { Backlog } from "../../src/core/ports.ts";
import type { LoopState } from "../../src/core/state.ts";

export interface BacklogFixture {
  readonly backlog: Backlog;
  /** a state in which there is something left to do */
  readonly state: LoopState;
}

/** What every backlog has to keep. */
export function backlogContract(name: string, make: () => Promise<BacklogFixture>): void {
  test(`${name}: asking twice without a change gives the same item`, async () => {
    const { backlog, state } = await make();
    const item = await backlog.next(state);
    expect(item).toBeDefined();
    expect(await backlog.next(state)).toEqual(item);
  });

  test(`${name}: an item can be named in one line`, async () => {
    const { backlog, state } = await make();
    const item = await backlog.next(state);
    expect(item?.id).toMatch(/^\S{1,80}$/u);
    expect(item?.title).toMatch(/^.{1,80}$/u);
  });
}
