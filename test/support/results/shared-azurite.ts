import { startAzurite } from "./azurite.ts";

/** The variable that tells the tests where the one Azurite of a run listens. */
export const SHARED_AZURITE = "TEST_AZURITE_PORT";

/** Starts one Azurite for all files of a run, each of which has containers of its own in it. @returns how to end it */
export default async function setup(): Promise<() => Promise<void>> {
  const azurite = await startAzurite();
  process.env[SHARED_AZURITE] = String(azurite.port);
  return async () => {
    Reflect.deleteProperty(process.env, SHARED_AZURITE);
    await azurite[Symbol.asyncDispose]();
  };
}
