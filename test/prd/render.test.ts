import { expect, test } from "vitest";
import { readDocument, type StoryMark } from "../../src/prd/document.ts";
import { aDocument, AT, aStory } from "./documents.ts";

const NOTHING: ReadonlyMap<string, StoryMark> = new Map();
const PASSED: StoryMark = { passes: true, inProgress: false };
const BEGUN: StoryMark = { passes: false, inProgress: true };

function render(text: string, marks: ReadonlyMap<string, StoryMark>): string | undefined {
  return readDocument(text, AT).document?.render(marks);
}

test("without a mark nothing changes, not even odd blanks, unknown keys and a missing line end", () => {
  const text = `\uFEFF{"x":1.50, "project":"a" ,\r\n"description" : "", "userStories":[ {"id":"US-001","note":"\\u00e9",
    "title":"t","description":"","priority":1,"acceptanceCriteria":["a"], "inProgress": false , "passes":false} ]}`;
  expect(render(text, NOTHING)).toBe(text);
  expect(render(text, new Map([["US-001", PASSED]]))).toBe(text.replace('"passes":false', '"passes":true'));
  expect(render(text, new Map([["US-001", BEGUN]]))).toBe(text.replace('"inProgress": false', '"inProgress": true'));
});

test("a story that begins says so behind `passes`, and no more when it is over [D-43]", () => {
  const text = aDocument([aStory("US-001"), aStory("US-002")]);
  const begun = render(text, new Map([["US-002", BEGUN]]));
  expect(begun).toBe(aDocument([aStory("US-001"), aStory("US-002", { inProgress: true })]));
  expect(begun && render(begun, NOTHING)).toBe(text);
});

test("what a file calls passed and nobody has marked is pending", () => {
  const text = aDocument([aStory("US-001", { passes: true, inProgress: true })]);
  expect(render(text, NOTHING)).toBe(aDocument());
});

test.each([
  '{"inProgress":true,"passes":true',
  '{"passes":true,"inProgress":true',
  '{"passes":true ,\n"inProgress" : true ',
])("a mark goes wherever it stands: %j", (head) => {
  const rest = ',"id":"US-001","title":"t","description":"","priority":1,"acceptanceCriteria":["a"]}]}';
  const rendered = render(`{"project":"a","description":"","userStories":[${head}${rest}`, NOTHING) ?? "";
  const story: unknown = JSON.parse(rendered).userStories[0];
  expect(story).toHaveProperty("passes", false);
  expect(story).not.toHaveProperty("inProgress");
  expect(rendered.endsWith(rest)).toBe(true);
});

test("stories of another document come behind those that they follow there, as they are written there", () => {
  const [one, two, three, four] = ["US-001", "US-002", "US-003", "US-004"].map((id) => aStory(id));
  const read = (...stories: object[]) => readDocument(aDocument(stories), AT).document;
  const merged = (here: object[], there: object[]) =>
    read(...here)?.withStoriesOf(read(...there) ?? { written: new Map() });
  const passed = aStory("US-003", { passes: true });
  expect(merged([two ?? {}, passed], [one ?? {}, two ?? {}, four ?? {}, three ?? {}])).toBe(
    aDocument([one ?? {}, two ?? {}, four ?? {}, passed]),
  );
  expect(merged([one ?? {}, two ?? {}], [two ?? {}])).toBe(aDocument([one ?? {}, two ?? {}]));
  expect(merged([], [one ?? {}])).toBe(aDocument([]));
});
