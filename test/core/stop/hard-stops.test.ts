import { expect, test } from "vitest";
import { openHardStops } from "../../../src/core/stop/control.ts";
import type { HardStopHit } from "../../../src/core/hard-stop.ts";
import type { Todo } from "../../../src/core/state.ts";
import { aHit } from "../../support/builders.ts";

const reached = aHit({ id: "reached#1" });
const ahead = aHit({ id: "ahead#1", reached: false });
const gone = aHit({ id: "gone#1", reached: false });

interface Row extends Partial<Pick<Todo, "seen" | "acknowledged">> {
  readonly when?: Todo["hard_stop_when"];
  readonly title: string;
  readonly current: readonly HardStopHit[];
  readonly open: readonly string[];
}

test.each<Row>([
  { title: "C10: a reached hit is open", current: [reached], open: ["reached#1"] },
  { title: "C10: one ahead is not", current: [ahead], open: [] },
  { title: "C10: unless its presence is enough", when: "present", current: [ahead], open: ["ahead#1"] },
  { title: "C10: an acknowledged one is not", current: [reached], acknowledged: ["reached#1"], open: [] },
  {
    title: "C10: an acknowledgement is for one hit",
    current: [reached, aHit({ id: "reached#2" })],
    acknowledged: ["reached#1"],
    open: ["reached#2"],
  },
  { title: "C10: one that vanished counts as reached", seen: [gone], current: [], open: ["gone#1"] },
  { title: "C10: unless it was acknowledged", seen: [gone], current: [], acknowledged: ["gone#1"], open: [] },
  { title: "C10: one that is still there has not vanished", seen: [ahead], current: [ahead], open: [] },
])("$title", ({ when = "reached", seen = [], acknowledged = [], current, open }) => {
  expect(openHardStops({ hard_stop_when: when, seen, acknowledged }, current).map((hit) => hit.id)).toEqual(open);
});

test("C10: a vanished hit says so, for the person who reviews it", () => {
  const open = openHardStops({ hard_stop_when: "reached", seen: [gone], acknowledged: [] }, []);
  expect(open).toEqual([{ ...gone, reached: true, vanished: true }]);
});
