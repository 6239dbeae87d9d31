import type { FormOut, FormsStatsOut } from '@svcforms/contracts';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { statsOfFormsQuery } from '../../api/forms.ts';

const DAYS = 14;
const DAY_MS = 86_400_000;

export type FormStats = FormsStatsOut[number];

/**
 * Statistics for each form of a list: the number of submissions, and the popup's last 14 days.
 * Sends one request per page. Returns undefined for a form whose page is loading, and null for a
 * form without statistics.
 */
export function useFormStats(
  pages: readonly (readonly FormOut[])[],
): (formId: string) => FormStats | null | undefined {
  const [from] = useState(() => new Date(Date.now() - (DAYS - 1) * DAY_MS).toISOString().slice(0, 10));
  return useQueries({
    queries: pages
      .map((page) => page.map(({ id }) => id))
      .filter((formIds) => formIds.length > 0)
      .map((formIds) => ({ ...statsOfFormsQuery(formIds, from), placeholderData: keepPreviousData })),
    combine(results) {
      const byForm = new Map(results.flatMap(({ data = [] }) => data.map((one) => [one.formId, one])));
      const isLoading = results.some(({ isFetching }) => isFetching);
      return (formId) => byForm.get(formId) ?? (isLoading ? undefined : null);
    },
  });
}
