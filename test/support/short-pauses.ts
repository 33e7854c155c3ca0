/**
 * Lets waits of more than half a second and up to 25 seconds, which are how GitHub's client spaces its writes, take a
 * hundredth of that in this process, until it is disposed of: other tests of the process have limits in real time.
 */
export function shortPauses(): Disposable {
  const { setTimeout: wait } = globalThis;
  globalThis.setTimeout = Object.assign(
    (callback: (...given: unknown[]) => void, delay = 0, ...given: unknown[]) =>
      wait(() => callback(...given), delay > 500 && delay <= 25_000 ? delay / 100 : delay),
    wait,
  );
  return {
    [Symbol.dispose]() {
      globalThis.setTimeout = wait;
    },
  };
}
