/** Runs operations in the order in which they were asked for; one that fails does not keep the next from running. */
export function oneAtATime(): <T>(operation: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (operation) => {
    const result = last.then(operation);
    last = result.catch(() => undefined);
    return result;
  };
}
