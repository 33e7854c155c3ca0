const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `try again at Nov 21st, 2026 3:00 AM`; only the time when it is today */
const MOMENT = /try again at (?:([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}):(\d{2}) (AM|PM)/u;
/** `try again in 1.5s`, `in 6m0s`, `in 1h2m3s`, `in 250ms` */
const DELAY = /try again in (?:(\d+)h)?(?:(\d+)m(?!s))?(?:([\d.]+)(ms|s))?/u;

/**
 * When the limit that a message of Codex tells of ends, in milliseconds since the epoch; undefined when it does not
 * say. Codex prints moments in its local time without the zone. It is assumed to be ours, because both run on one
 * machine and `TZ` is passed on.
 */
export function readReset(message: string, now: number): number | undefined {
  const moment = MOMENT.exec(message);
  if (moment !== null) return readMoment(moment, now);
  const delay = DELAY.exec(message);
  if (delay === null) return undefined;
  const [, hours = 0, minutes = 0, amount = 0, unit] = delay;
  const ms = Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(amount) * (unit === "ms" ? 1 : 1000);
  return ms > 0 ? now + Math.ceil(ms) : undefined;
}

function readMoment(moment: RegExpExecArray, now: number): number | undefined {
  const [, monthName, day, year, hour, minute, half] = moment;
  const today = new Date(now);
  const month = monthName === undefined ? today.getMonth() : MONTHS.indexOf(monthName);
  if (month === -1) return undefined;
  return new Date(
    year === undefined ? today.getFullYear() : Number(year),
    month,
    day === undefined ? today.getDate() : Number(day),
    (Number(hour) % 12) + (half === "PM" ? 12 : 0),
    Number(minute),
  ).getTime();
}
