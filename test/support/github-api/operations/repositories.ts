import { fullRepository } from "../documents.ts";
import type { Handlers } from "../operation.ts";

export const REPOSITORIES: Handlers = {
  "repos/get": { handle: ({ world }) => ({ status: 200, body: fullRepository(world) }) },
};
