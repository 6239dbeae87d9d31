/** As many as fit on a phone. */
const TICKS = 5;

/**
 * The dates that the axis of a chart labels: the last one, and others at equal distances before it.
 */
export function dateTicks(dates: readonly string[]): string[] {
  const last = dates.length - 1;
  const step = Math.max(1, Math.ceil(dates.length / TICKS));
  return dates.filter((_, index) => (last - index) % step === 0);
}
