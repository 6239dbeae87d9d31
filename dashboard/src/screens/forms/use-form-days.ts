import type { StatsOut } from '@svcforms/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { statsQuery } from '../../api/forms.ts';

const DAYS = 14;
const DAY_MS = 86_400_000;

/** Of the last 14 days, today included; undefined while they are loading. */
export function useFormDays(formId: string): StatsOut | undefined {
  const [from] = useState(() => new Date(Date.now() - (DAYS - 1) * DAY_MS).toISOString().slice(0, 10));
  return useQuery(statsQuery(formId, from)).data;
}
