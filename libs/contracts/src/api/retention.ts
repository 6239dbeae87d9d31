import { z } from 'zod';

/** Limits of a retention period, in days. */
export const RETENTION_DAYS = { min: 1, max: 3650 } as const;

/** A retention period in whole days. */
export const retentionDays = (description: string) =>
  z.int().min(RETENTION_DAYS.min).max(RETENTION_DAYS.max).meta({ description, example: 90 });
