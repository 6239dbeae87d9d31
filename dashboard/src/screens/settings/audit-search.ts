import type { AuditAction } from '@svcforms/contracts';
import type { AuditFilters } from '../../api/audit-log.ts';
import { isDay, startOfDay } from '../../components/days.ts';
import { searchText } from '../../navigation/strict-search.ts';
import { settingsTexts } from '../../texts/settings.ts';

/** The filters in the URL of the audit log. */
export interface AuditSearch {
  action?: AuditAction;
  /** Ids. */
  actor?: string;
  target?: string;
  /** First and last day in the reader's time zone: YYYY-MM-DD. */
  from?: string;
  to?: string;
}

/** Reads the filters of a URL and ignores invalid ones. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const text = (name: string) => searchText(search[name]).slice(0, 200);
  const day = (name: string) => (isDay(search[name]) ? search[name] : '');
  return presentIn({
    action: Object.hasOwn(settingsTexts.audit.actions, text('action')) ? (text('action') as AuditAction) : '',
    actor: text('actor'),
    target: text('target'),
    from: day('from'),
    to: day('to'),
  });
}

/** Removes empty filters from the URL. */
export function presentIn(search: { [K in keyof AuditSearch]: AuditSearch[K] | '' }): AuditSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value));
}

/** The filters of the API: from the start of the first day to the end of the last one. */
export function auditFiltersOf({ action, actor, target, from, to }: AuditSearch): AuditFilters {
  return {
    ...(action && { action }),
    ...(actor && { actor }),
    ...(target && { target }),
    ...(from && { since: startOfDay(from) }),
    ...(to && { until: startOfDay(to, 1) }),
  };
}
