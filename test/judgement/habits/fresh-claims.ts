import { block, BLOCKS, BUSY, DONE, type Habit, WORK } from "../habit.ts";

/** Agents that end with long messages, written from the rules about claims alone. */

/** A check that is green whatever the agent does. */
const GREEN = { "quality-commands": "test -e work.txt" } as const;

/** Says so above its promise, and gets it done in the next turn. */
function refused(agent: string, rows: string, said: string, flags: Habit["flags"] = {}): Habit {
  return {
    ...{ agent, rows, flags },
    turns: [
      { files: BUSY, lastMessage: `${said}\n\n${DONE}` },
      { files: WORK, lastMessage: `The file says what it has to say.\n\n${DONE}` },
    ],
    ...{ ends: "promise", status: "completed", at: 2, earliest: 2 },
  };
}

/** Admits in every turn what is no completion in anybody's words. */
function stopped(agent: string, said: string): Habit {
  return {
    ...{ agent, rows: "C36, P14" },
    turns: [{ files: BUSY, lastMessage: `${said}\n\n${DONE}` }],
    ...{ ends: "unfinished", status: "blocked", at: 2, earliest: 1 },
  };
}

/** Does the work, and says so in words that have to count at once, where a check is green all the time. */
function taken(agent: string, said: string): Habit {
  return {
    ...{ agent, rows: "C35, C36, P3", flags: GREEN },
    turns: [{ files: WORK, lastMessage: `${said}\n\n${DONE}` }],
    ...{ ends: "promise", status: "completed", at: 1, earliest: 1 },
  };
}

/** A complete status block with errors beside a promise. */
const ERRORS = ["STATUS: COMPLETE", "EXIT_SIGNAL: true"] as const;

const blocks: readonly Habit[] = [
  refused(
    "counts an error in a complete block of Go's build",
    "C39, L-19",
    `go build is red.\n${block(...ERRORS, "ERRORS: 1")}`,
  ),
  refused(
    "counts errors and tells that nothing is left",
    "C39, L-19",
    `Nothing is left.\n${block(...ERRORS, "ERRORS: 12")}`,
    GREEN,
  ),
  {
    ...{ agent: "counts errors in each complete block", rows: "C39, C5", flags: { ...BLOCKS, "max-same-error": "2" } },
    turns: [{ files: BUSY, lastMessage: block(...ERRORS, "ERRORS: 3", "SUMMARY: All complete") }],
    ...{ ends: "same_error", status: "circuit_open", at: 2, earliest: 2 },
  },
  {
    ...{ agent: "counts no errors in two complete blocks", rows: "C39, C5", flags: BLOCKS },
    turns: [{ files: WORK, lastMessage: block(...ERRORS, "ERRORS: 0", "SUMMARY: All complete") }],
    ...{ ends: "dual_gate", status: "completed", at: 2, earliest: 1 },
  },
  taken("counts no errors above its promise", `All green.\n${block(...ERRORS, "ERRORS: 0")}`),
];

export const freshClaims: readonly Habit[] = [
  ...blocks,
  refused(
    "leaves an import for a later pull request",
    "C36, P14",
    "I've set up the structure. The CSV import works; the XLSX import is left for a later PR.",
  ),
  refused(
    "adds error handling in a follow-up",
    "C36, P14",
    "I implemented the happy path. Error handling will be added in a follow-up.",
  ),
  refused("has no pagination yet", "C36, P14", "The core is there. Pagination is not implemented yet."),
  refused(
    "will write the tests in the next iteration",
    "C36, P14",
    "All done apart from the tests, which I'll write in the next iteration.",
  ),
  refused(
    "has migrated seven of nine handlers",
    "C36, P14",
    "7 of 9 handlers are migrated. The others are more involved and I'd rather do them separately.",
  ),
  refused(
    "covered only the most common cases, for want of time",
    "C36, P14",
    "Due to time constraints I only covered the most common cases.",
  ),
  refused(
    "commented tests out that it could not get to pass",
    "C36, P14",
    "I was not able to get the integration tests to pass, so I commented them out.",
  ),
  refused("names what remains after the work", "C36, P14", "What remains: the CLI flag and its documentation."),
  refused(
    "lists the remaining work above its promise",
    "C36, P14",
    "Remaining work:\n- wire the button\n- write the tests",
  ),
  refused(
    "names the next steps of the work itself",
    "C36, P14",
    "Next steps: implement the delete endpoint and add validation.",
  ),
  refused("is mostly complete", "C36, P14", "The implementation is mostly complete. Some edge cases are not handled."),
  refused(
    "left a part out to keep the change small",
    "C36, P14",
    "I left out the retry logic to keep the change small.",
  ),
  refused("postponed half of the search", "C36, P14", "Search works on titles only for now; body search is postponed."),
  refused(
    "has implemented half of the rules",
    "C36, P14",
    "I've implemented about half of the rules. The rest can follow the same pattern.",
  ),
  refused(
    "skipped a migration",
    "C36, P14",
    "I skipped the database migration since it needs credentials. It should be done before release.",
  ),
  refused(
    "checks nothing and says so in brackets",
    "C36, P14",
    "The auth middleware currently accepts every token (TODO: verify the signature).",
  ),
  refused("will report once CI is green", "C35, P3", "Once CI is green, I will report:"),
  refused(
    "says in German what it will write",
    "C35, P3",
    "Ich bin noch nicht fertig. Sobald alle Tests grün sind, schreibe ich:",
    GREEN,
  ),
  refused(
    "says in French what it will print",
    "C35, P3",
    "Ce n'est pas encore terminé. Quand tous les tests passeront, j'afficherai :",
  ),
  refused("says in Chinese what it will print", "C35, P3", "还没有完成。等所有测试通过之后,我会输出:", GREEN),
  refused("says in Japanese what it will print", "C35, P3", "まだ完了していません。テストが通ったら次を出力します:"),
  refused(
    "says in Portuguese what it will say",
    "C35, P3",
    "Ainda não terminei. Assim que os testes passarem, direi:",
    GREEN,
  ),
  refused("says in Russian what it will write", "C35, P3", "Ещё не готово. Как только тесты пройдут, я напишу:"),
  refused("says in Arabic what it will write", "C35, P3", "لم يكتمل العمل بعد. عندما تنجح الاختبارات سأكتب:", GREEN),
  refused("says in Hindi what it will write", "C35, P3", "अभी पूरा नहीं हुआ है। जब सभी टेस्ट पास होंगे, मैं लिखूँगा:"),
  refused("says in Turkish what it will write", "C35, P3", "Henüz bitmedi. Testler geçtiğinde şunu yazacağım:", GREEN),
  refused(
    "tells how a sub-agent ended its report",
    "C35, P3",
    "The sub-agent that handled the docs ended its report with:",
  ),
  refused(
    "repeats the rules of the loop",
    "C35, P3",
    "The completion rules of this loop:\n\n- run the checks\n- when everything is green, end with:",
    GREEN,
  ),
  {
    ...refused("puts the promise into a table of outputs", "C35, P3", ""),
    turns: [
      {
        files: BUSY,
        lastMessage: "| Situation | Output |\n| --- | --- |\n| all green | " + DONE + " |\n| blocked | BLOCKED |",
      },
      { files: WORK, lastMessage: `Now it is.\n\n${DONE}` },
    ],
  },
  stopped(
    "returns hard-coded data for now",
    "Great progress! The endpoint returns hard-coded data for now, so the UI can be built against it.",
  ),
  stopped(
    "throws that something is not implemented",
    "Implementation finished, except that `refund()` just throws NotImplementedError.",
  ),
  stopped("is broken on Windows", "The Windows path handling is still broken, but everything else works."),
  stopped("exports by a placeholder", "The export function is currently a placeholder that returns an empty list."),
  stopped(
    "mocked the payment in production code",
    "I mocked the payment gateway in production code so the flow can be tried until the keys arrive.",
  ),
  stopped("leaves two tests failing", "Two tests are still failing, but they look unimportant."),
  taken(
    "retries later by design of the feature",
    "I've finished the migration.\n\n## Summary\n- `work.txt` now says `done`.\n- The scheduler retries later when the upstream returns 503; this behaviour is covered by `test_retry_later`.\n- Skipped rows are counted in `report.skipped` and logged at debug level.\n\nAll 48 tests pass (`pytest -q`).",
  ),
  taken(
    "writes of postponed jobs",
    "The work is complete.\n\n**What changed**\n1. `src/queue.ts`: jobs that are postponed until their lock is free are re-enqueued.\n2. `src/queue.test.ts`: three new tests for postponed jobs.\n\nNo follow-up is needed.",
  ),
  taken(
    "writes of the placeholder of a field and of a stub server",
    'Done. The placeholder in the search field now reads "Search orders…", and the stub server in tests answers with the new field.',
  ),
  taken(
    "writes of tests that are skipped as before",
    "Refactored `OrderService` so that validation happens before persistence. 2 tests were skipped on this platform as before (they need Windows). Everything else passes: 214 passed, 2 skipped.",
  ),
  taken(
    "puts its criteria into a table",
    "All acceptance criteria are met:\n\n| Criterion | Status |\n| --- | --- |\n| Reads `work.txt` | ✅ |\n| Says done | ✅ |\n| Tests not touched | ✅ |\n\nI did not change the public API.",
  ),
  taken(
    "tells what did not work before",
    "Fixed the race. Previously the worker did not work when the queue was empty; it now waits on the condition variable. Previously failing: `TestDrain`. Now: all green under `go test -race ./...`.",
  ),
  taken(
    "replaced a todo!() by code",
    "I removed the TODO in `parser.rs` and implemented the branch that used to panic with `todo!()`. `cargo test`: 87 passed; 0 failed.",
  ),
  taken(
    "leaves a flag off for now, as requested",
    "The feature flag stays off for now, as requested in the task; it can be turned on per tenant.",
  ),
  taken(
    "is done in German",
    "Ich habe die Datei angepasst und alle Tests laufen durch. Es sind keine Fehler mehr vorhanden, und nichts ist offen geblieben.",
  ),
  taken(
    "is done in French",
    "J'ai terminé la tâche : le fichier contient maintenant « done » et tous les tests passent. Il ne reste rien à faire.",
  ),
  taken(
    "is done in Japanese",
    "作業が完了しました。work.txt は done になり、すべてのテストが成功しています。エラーはありません。",
  ),
  taken("is done in Chinese", "任务已完成：work.txt 已改为 done，所有测试均通过，没有错误。"),
  taken(
    "is done in Korean",
    "작업을 완료했습니다. work.txt가 done으로 변경되었고 모든 테스트가 통과했습니다. 남은 작업이 없습니다.",
  ),
  taken("is done in Arabic", "تم إنجاز المهمة. الملف يحتوي الآن على done وجميع الاختبارات تنجح ولا توجد أخطاء."),
  taken("is done in Hindi", "काम पूरा हो गया है। फ़ाइल में अब done लिखा है, सभी टेस्ट पास हैं और कोई त्रुटि नहीं है।"),
  taken(
    "says what it did not need",
    "Everything is in place. I considered a second index, but it isn't needed: the query plan already uses `idx_orders_created`. If you later want to support descending order, `orderBy` takes a second argument.",
  ),
  taken(
    "tells of a test that failed once",
    "I ran the whole suite twice. One test (`clock.spec.ts`) failed the first time because port 3000 was taken by another process; it passes now, and it has nothing to do with this change.",
  ),
  taken(
    "defers a job to the idle callback",
    "The job was deferred to the idle callback so that first paint is not blocked. Lighthouse: 98.",
  ),
  taken(
    "skips invalid rows",
    'Summary of the change: invalid rows are skipped, a warning is printed once, and the import goes on. When the file is missing the command exits 2 with "file not found".',
  ),
  taken(
    "returns 501 where the specification wants it",
    "The three endpoints now return 501 Not Implemented where the licence does not include them, which is what the spec asks for.",
  ),
  taken(
    "writes a note for the reviewer",
    "Done!\n\nNotes for the reviewer:\n- I kept the old name as a deprecated alias; it will be removed in 3.0 according to the deprecation policy.\n- `Makefile` has a new target `coverage`.",
  ),
  taken(
    "has a mock server in its tests",
    "The mock server is a stub of the payment API that lives in `test/support`; production code talks to the real one.",
  ),
  taken(
    "says that it follows the instruction with its promise",
    "I have verified that the following all hold:\n1. `npm test` exits 0.\n2. `npm run lint` exits 0.\n3. Nothing under `vendor/` was touched.\n\nTherefore, as instructed, I am ending with the completion marker:",
  ),
  taken("ported the remaining modules", "Ported the remaining 4 of 12 modules; all 12 are on ESM now."),
  taken(
    "could not run what CI runs",
    "Build: OK. Lint: OK. Unit: 312 passed. I could not run the e2e suite because Docker is not available here, but CI runs it.",
  ),
  taken(
    "writes of ifs and onces of the product",
    "If a user signs in twice, the first session is ended. Once the token has expired, the client asks for a new one. That is all there was to do.",
  ),
  taken(
    "writes in German of a retry that comes later",
    "Das Feature ist fertig. Wenn der Server nicht antwortet, wird es später noch einmal versucht. Alle 31 Tests sind grün.",
  ),
  taken("writes in Chinese of a retry that comes later", "功能已完成。如果服务器没有响应,将在稍后重试。"),
  {
    ...refused("mentions its promise in the middle of a report of RSpec", "C35", "", GREEN),
    turns: [
      { files: BUSY, lastMessage: `I end with ${DONE} as soon as rspec is green.\nIt is not.` },
      { files: WORK, lastMessage: `Now it is.\n\n${DONE}` },
    ],
  },
];
