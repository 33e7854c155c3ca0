import { describe, expect, test } from "vitest";
import { leftoverIn, leftoverOf } from "../../../src/core/claim/unfinished.ts";

const PROMISE = "<promise>DONE</promise>";

/** Far from the promise, so that only words count that can mean nothing else. */
const far = (said: string) =>
  leftoverIn(`I worked on it.\n${said}\nA test is there.\nSo is a line.\nGreen.\n${PROMISE}`, PROMISE);
const near = (said: string) => leftoverIn(`I worked on it.\n${said}\n${PROMISE}`, PROMISE);

test.each([
  "The exporter is a stub for now.",
  "The importer is still a placeholder.",
  "Placeholder values are used for now.",
  "The upload handler is only a skeleton.",
  "The function is just a no-op.",
  "The retry logic is stubbed out.",
  "I stubbed the payment client for now.",
  "I mocked the database for now.",
  "I left a stub in its place.",
  "I went with a placeholder instead.",
  "It throws not implemented.",
  "For the provider I used a dummy implementation that always succeeds.",
  "The endpoint returns mock data until there is a database.",
  "The login does not work yet.",
  "Export doesn't work yet, so it is disabled.",
  "Still does not compile.",
  "It does not work at all.",
])("a stub, or what does not work, is broken: %s [C36]", (said) => {
  expect(far(said)).toEqual({ said, isBroken: true });
});

test.each([
  "The tests are still failing.",
  "The build is not working.",
  "The login does not work.",
  "3 tests fail.",
  "The last check is red.",
])("beside the promise less is enough: %s [C36]", (said) => {
  expect(near(said)).toEqual({ said, isBroken: true });
  expect(far(said)).toBeNull();
});

test.each([
  "I left the documentation for later.",
  "The migration will be done later.",
  "It is added later.",
  "Docs are postponed.",
  "I skipped the migration.",
  "The docs were skipped.",
  "Skipped the documentation.",
  "Error handling postponed.",
  "The export is not implemented yet.",
  "Edge cases aren't covered.",
  "I haven't migrated the admin pages.",
  "The audit log is still missing.",
  "The feature is mostly complete.",
  "Two of the five components still use the old API.",
  "The remaining three screens will follow.",
  "The retry is just a sleep for now.",
  "Error handling is minimal and should be improved later.",
  "It can be done in a later PR.",
  "I disabled the failing integration test.",
  "A proper fix is needed.",
  "Windows support was skipped.",
  "I skipped the last step.",
  "The validation is left as a TODO.",
  "TODO: validate the input.",
  "Not done: the flag.",
  "Documentation deliberately skipped.",
  "I skipped the flaky integration tests.",
  "Validation will come in a follow-up PR.",
  "This needs a follow-up.",
  "A follow-up PR will add the docs.",
  "I deferred the error handling.",
  "Windows support is deferred to a follow-up.",
  "Error handling is left for a later iteration.",
  "Edge cases will be handled in the next iteration.",
  "Only the happy path is implemented.",
  "I only implemented the first half.",
  "3 of 5 endpoints are implemented.",
  "I implemented 3 of the 5 endpoints.",
  "The page is partially implemented.",
  "The rest is still missing.",
  "The remaining endpoints will follow.",
  "I ran out of time.",
  "I did not get to the docs.",
  "It is a work in progress.",
  "I left a TODO in parser.ts.",
  "The cache is disabled for now.",
  "For now it only handles CSV.",
  "It needs more work.",
  "The wording is left to the reader.",
  "The docs will be written soon.",
  "The limit is temporarily disabled.",
  "The search is unimplemented.",
])("deferral and partial scope are left: %s [C36]", (said) => {
  expect(far(said)).toEqual({ said, isBroken: false });
});

test.each([
  "2 tests skipped as before on this platform.",
  "I skipped the cache because it is warm.",
  "Follow-up PR not needed.",
  "No follow-up needed.",
  "No TODOs left.",
  "No placeholders remain.",
  "I removed the stub.",
  "Replaced the placeholder with the real implementation.",
  "The importer is no longer a stub.",
  "Nothing is left for later.",
  "See the example two lines later.",
  "It needs Node 20 or later.",
  "The job is run later by cron.",
  "Users can change it later in the settings.",
  "The value can be overridden later.",
  "Whatever is added later has to keep it.",
  "10 passed, 2 skipped.",
  "That is all for now.",
  "It reports which files are still missing.",
  "If the job is not finished yet, the page waits.",
  "The mock server returns fake data, as in the other tests.",
  "The tests use a dummy implementation of the clock.",
  "I disabled the cache in the tests.",
  "The value can be added later by the user.",
  "I have not implemented anything beyond the task.",
  "The real implementation is in the next file.",
  "The list shows what is still open.",
  "A card of what is shown for now-playing.",
  "I left the TODO list component as it is.",
  "Windows support was removed.",
  "The tests are green for now.",
  "I skipped the tests' cache.",
  "The input has a placeholder text.",
  "The name is a placeholder for the user.",
  "The tests use a stub for the HTTP client.",
  "The deferred promise is resolved once.",
  "Rendering is deferred until the first frame.",
  "The retry is postponed until the first request ends.",
  "The build step was skipped because nothing changed.",
  "Empty lines are skipped.",
  "5 of 5 endpoints are implemented.",
  "All 12 of 12 tests pass.",
  "The old regex did not work with tabs, so I wrote a parser.",
  "fetch does not work in Node 16, so I used http.",
  "Where it does not work, one notice says why.",
  "The rest of the code is unchanged.",
  "The remaining tests are green.",
  "The follow-up question form is done.",
  "I implemented the follow-up email feature.",
  "The check fails when coverage drops below 80 %.",
  "Only the first match is replaced, as the task asks.",
  "I kept the old name as requested.",
  "Remaining: none.",
  "Follow-ups: none.",
  "Not done: nothing.",
])("what is about something else leaves nothing: %s [C36]", (said) => {
  expect(near(said)).toBeNull();
  expect(far(said)).toBeNull();
});

describe("of several", () => {
  test("what is broken is told first, else the first [C36]", () => {
    expect(near("The docs are left for later.\nThe exporter is a stub.")?.said).toBe("The exporter is a stub.");
    expect(near("The docs are left for later.\nI skipped the migration.")?.said).toBe("The docs are left for later.");
  });

  test("the last 400 sentences are read [C36]", () => {
    const many = "It is fine.\n".repeat(500);
    expect(leftoverIn(`The exporter is a stub.\n${many}${PROMISE}`, PROMISE)).toBeNull();
    expect(leftoverIn(`${many}The exporter is a stub.\n${PROMISE}`, PROMISE)?.isBroken).toBe(true);
  });
});

test.each([
  ["Die Datei ist noch nicht geschrieben. Der Rest ist da.", true],
  ["Файл ещё не готов.", true],
  ["まだ動きません。", true],
  ["Es fehlt noch nicht an Ideen, keine Fehler.", true],
  ["Es ist nichts mehr zu tun.", false],
])("not yet, in another language, beside the promise: %s [C36]", (said, isLeft) => {
  expect(near(said) !== null).toBe(isLeft);
  expect(far(said)).toBeNull();
});

test("a status block's summary is read as a whole [C35, C36]", () => {
  expect(leftoverOf("all done, the writer is a stub for now")?.isBroken).toBe(true);
  expect(leftoverOf("two tests still fail")?.isBroken).toBe(true);
  expect(leftoverOf("all done, nothing left")).toBeNull();
  expect(leftoverOf("")).toBeNull();
});
