import { runnerUser, type UserOfTheRunner } from "../support/runner/user.ts";

const WITHOUT = "a user without rights";

/** Whom attacks are tried as, where that is possible. */
export const WHO: readonly string[] = ["root", WITHOUT];

/** Whom an attack is tried as here: root and somebody without rights, where the tests may become both. */
export const USERS: readonly { readonly who: string; readonly user: UserOfTheRunner | undefined }[] =
  process.getuid?.() === 0
    ? [
        { who: "root", user: undefined },
        { who: WITHOUT, user: runnerUser() },
      ]
    : [{ who: WITHOUT, user: undefined }];
