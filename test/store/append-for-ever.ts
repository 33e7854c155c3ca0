/** A program that goes on with a loop, event after event, until it is killed. */
import { FileStore } from "../../src/store/file-store.ts";
import { aState } from "../support/builders.ts";

const [, , stateFile = "", folder = ""] = process.argv;
const store = new FileStore({ stateFile, folder });
await store.open();
let revision = (await store.load("a-loop"))?.revision ?? 0;
for (;;) {
  revision += 1;
  const event = { type: "session_opened", at: "2026-03-01T10:00:00.000Z", session_id: `s-${revision}` } as const;
  await store.append(event, aState({ revision }));
  process.stdout.write(`${revision}\n`);
}
