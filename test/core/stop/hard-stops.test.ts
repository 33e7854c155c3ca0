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
  { title: "a reached hit is open [C10]", current: [reached], open: ["reached#1"] },
  { title: "one ahead is not [C10]", current: [ahead], open: [] },
  { title: "unless its presence is enough [C10]", when: "present", current: [ahead], open: ["ahead#1"] },
  { title: "an acknowledged one is not [C10]", current: [reached], acknowledged: ["reached#1"], open: [] },
  {
    title: "an acknowledgement is for one hit [C10]",
    current: [reached, aHit({ id: "reached#2" })],
    acknowledged: ["reached#1"],
    open: ["reached#2"],
  },
  { title: "one that vanished counts as reached [C10]", seen: [gone], current: [], open: ["gone#1"] },
  { title: "unless it was acknowledged [C10]", seen: [gone], current: [], acknowledged: ["gone#1"], open: [] },
  { title: "one that is still there has not vanished [C10]", seen: [ahead], current: [ahead], open: [] },
])("$title", ({ when = "reached", seen = [], acknowledged = [], current, open }) => {
  expect(openHardStops({ hard_stop_when: when, seen, acknowledged }, current).map((hit) => hit.id)).toEqual(open);
});

test("a vanished hit says so, for the person who reviews it [C10]", () => {
  const open = openHardStops({ hard_stop_when: "reached", seen: [gone], acknowledged: [] }, []);
  expect(open).toEqual([{ ...gone, reached: true, vanished: true }]);
});
