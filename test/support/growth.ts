/** Four times the input: linear work costs four times as much, quadratic work sixteen times. */
const TIMES = 4;
const MOST = 10;
/** Less is noise, in microseconds. */
const LEAST = 1_000;

/**
 * Whether the work for an input of `size` costs no more than linear work would, beside the same for a fourth of it: how
 * fast the machine is, how busy, and whether it counts coverage, does not matter. Once is enough, of three times.
 */
export function growsLinearly(work: (size: number) => void, size: number): boolean {
  const cost = (of: number): number => {
    const before = process.cpuUsage();
    work(of);
    const { user, system } = process.cpuUsage(before);
    return Math.max(LEAST, user + system);
  };
  work(Math.floor(size / TIMES));
  return [1, 2, 3].some(() => {
    const least = cost(Math.floor(size / TIMES));
    return cost(size) < least * MOST;
  });
}
