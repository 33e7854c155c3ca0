/**
 * Why a request of ours was not done, as part of a sentence, with the cure where there is one.
 *
 * @param permission the line of `permissions:` that the request needs, as in `actions: read`
 */
export function refusalOf(error: unknown, permission: string): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "AbortError" || error.name === "TimeoutError") return "GitHub did not answer in time";
  if (!("status" in error)) return error.message;
  const answered = "response" in error && error.response !== undefined;
  if (!answered) return `GitHub cannot be reached (${error.message})`;
  const missing = `the token may not do this; give the job permissions: ${permission}`;
  switch (error.status) {
    case 401:
      return "GitHub does not know the token";
    case 403:
      return /resource not accessible/iu.test(error.message) ? missing : `GitHub refused (${firstLine(error.message)})`;
    case 404:
      return `GitHub does not know it, or ${missing}`;
    case 429:
      return "GitHub's rate limit is used up";
    default:
      return `GitHub answered ${String(error.status)} (${firstLine(error.message)})`;
  }
}

function firstLine(message: string): string {
  return message.split("\n", 1)[0] ?? "";
}
