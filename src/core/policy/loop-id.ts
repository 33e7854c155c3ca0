const LOOP_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/u;

/** Whether a text can be a loop's id, and so a part of paths and of git's refs (C9). */
export function isLoopId(text: string): boolean {
  return LOOP_ID.test(text) && !text.includes("..") && !text.endsWith(".lock");
}
