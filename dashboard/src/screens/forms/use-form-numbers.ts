import type { FormOut, FormsStatsOut } from '@svcforms/contracts';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { statsOfFormsQuery } from '../../api/forms.ts';

const DAYS = 14;
const DAY_MS = 86_400_000;

export type FormNumbers = FormsStatsOut[number];

/**
 * What came of each form of a list: all submissions, and the popup's last 14 days, today included. One call a page.
 * Gives by form id; undefined while the form's page is loading, null where there are none to be had.
 */
export function useFormNumbers(
  pages: readonly (readonly FormOut[])[],
): (formId: string) => FormNumbers | null | undefined {
  const [from] = useState(() => new Date(Date.now() - (DAYS - 1) * DAY_MS).toISOString().slice(0, 10));
  return useQueries({
    queries: pages
      .map((page) => page.map(({ id }) => id))
      .filter((formIds) => formIds.length > 0)
      .map((formIds) => ({ ...statsOfFormsQuery(formIds, from), placeholderData: keepPreviousData })),
    combine(results) {
      const known = new Map(results.flatMap(({ data = [] }) => data.map((one) => [one.formId, one])));
      const isLoading = results.some(({ isFetching }) => isFetching);
      return (formId) => known.get(formId) ?? (isLoading ? undefined : null);
    },
  });
}
