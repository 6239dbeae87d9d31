export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** A time in milliseconds since the epoch as ISO 8601 in UTC, as the store has it. */
export const isoTime = (time: number): string => new Date(time).toISOString();
