import { runnerUser, type UserOfTheRunner } from "../support/runner/user.ts";

/** Whom an attack is tried as: root and somebody without rights, where the tests may become both. */
export const USERS: readonly { readonly who: string; readonly user: UserOfTheRunner | undefined }[] =
  process.getuid?.() === 0
    ? [
        { who: "root", user: undefined },
        { who: "a user without rights", user: runnerUser() },
      ]
    : [{ who: "a user without rights", user: undefined }];
