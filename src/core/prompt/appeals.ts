import type { Brief } from "./brief.ts";

/** What an agent has to hear that waits for somebody (W-51, section 4.5): nobody is there; "" for all others. */
export function unanswered({ appeals }: Brief["state"]): string {
  if (appeals.blocked > 0) {
    return "You said that you are BLOCKED. Try what you proposed yourself, or work on what is not blocked. When you are BLOCKED for the same reason again, the loop stops and a person is asked.";
  }
  if (appeals.questions === 0) return "";
  return "Your last message ended in a question and you changed nothing. Nobody answers: choose the conservative default and go on. When it happens again, the loop stops and a person is asked.";
}
