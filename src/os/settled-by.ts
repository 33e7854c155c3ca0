/** Waits for `work`, whatever it comes to, until `deadline` (milliseconds since the epoch) at most. Never rejects. */
export async function settledBy(work: Promise<unknown> | undefined, deadline: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(deadline - Date.now(), 0));
  });
  await Promise.race([Promise.allSettled([work]), late]);
  clearTimeout(timer);
}
