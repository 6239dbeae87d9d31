import { z } from 'zod';

/** For how many days submissions and resolved tasks may be kept. */
export const RETENTION_DAYS = { min: 1, max: 3650 } as const;

/** A retention period in whole days. */
export const retentionDays = (description: string) =>
  z.int().min(RETENTION_DAYS.min).max(RETENTION_DAYS.max).meta({ description, example: 90 });
