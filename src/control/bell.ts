/** Wakes somebody who waits. However often it rang since it was last heard, it is heard once. */
export interface Bell {
  readonly ring: () => void;
  readonly heard: () => Promise<void>;
}

export function createBell(): Bell {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    async heard() {
      if (!rung) await new Promise<void>((resolve) => (wake = resolve));
      rung = false;
    },
  };
}
