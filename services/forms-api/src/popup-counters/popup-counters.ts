import {
  AppError,
  daysOf,
  maySeeForm,
  validationFailed,
  type FormsStatsOut,
  type FormsStatsQuery,
  type PopupEventIn,
  type StatsOut,
  type StatsQuery,
} from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { PathRequest, Reply, RouteRequest } from '@svcforms/http';
import { isoTime, type Clock } from '@svcforms/primitives';
import {
  type FormRecord,
  isPublic,
  ownForm,
  popupCounterId,
  type PopupCounterRecord,
  quarantinedIn,
  type SubmissionRecord,
} from '@svcforms/records';
import { createEventCounter } from './count-events.ts';

export interface PopupCountersDeps {
  forms: Collection<FormRecord>;
  /** Reads the stored form. */
  findForm: (formId: string) => Promise<FormRecord | null>;
  submissions: Collection<SubmissionRecord>;
  popupCounters: Collection<PopupCounterRecord>;
  now: Clock;
}

/**
 * Impressions, conversions and declines of popups, by day in UTC.
 * docs/reference/popups.md#popup-events
 */
export function createPopupCounters(deps: PopupCountersDeps) {
  const { forms, findForm, submissions, popupCounters, now } = deps;
  const countEvent = createEventCounter(popupCounters);
  const today = () => isoTime(now()).slice(0, 10);

  /** @throws AppError `VALIDATION_FAILED` */
  function daysIn(query: StatsQuery): string[] {
    const days = daysOf(query, today());
    if (!Array.isArray(days)) throw validationFailed([days]);
    return days;
  }

  /** By form and day. */
  async function countersOf(formIds: string[], days: string[]): Promise<Map<string, PopupCounterRecord>> {
    const [first = today()] = days;
    const found = await popupCounters.find({
      formId: { $in: formIds },
      day: { $gte: first, $lte: days.at(-1) ?? first },
    });
    return new Map(found.map((counter) => [counter._id, counter]));
  }

  /**
   * The accepted submissions of these days, by day. The store counts both kinds in its indexes, and
   * most forms have none in quarantine.
   */
  async function submissionsOf(formId: string, days: string[]): Promise<number[]> {
    const [quarantined, ...all] = await Promise.all([
      submissions.count(quarantinedIn(formId, { since: days[0] })),
      ...days.map((day) => submissions.count({ formId, createdAt: within(day) })),
    ]);
    if (quarantined === 0) return all;
    const left = await Promise.all(
      days.map((day) => submissions.count(quarantinedIn(formId, { since: day, before: `${day}~` }))),
    );
    return all.map((count, n) => count - (left[n] ?? 0));
  }

  async function allSubmissionsOf(formId: string): Promise<number> {
    const [all, quarantined] = await Promise.all([
      submissions.count({ formId }),
      submissions.count(quarantinedIn(formId)),
    ]);
    return all - quarantined;
  }

  return {
    /** Counts an event that the embed reports. */
    event: async ({ params, body }: PathRequest<'formId', unknown, PopupEventIn, null>): Promise<Reply> => {
      const form = await findForm(params.formId);
      if (!isPublic(form)) throw new AppError('NOT_FOUND', 'There is no such form');
      await countEvent({ formId: form._id, day: today(), type: body.type });
      // Pages that are isolated from other origins report an error for a response without it.
      return { headers: { 'Cross-Origin-Resource-Policy': 'cross-origin' } };
    },

    stats: async ({ params, query, caller }: PathRequest<'formId', StatsQuery>): Promise<Reply> => {
      const { _id: formId } = await ownForm(forms, caller, params.formId);
      const days = daysIn(query);
      const [found, submitted] = await Promise.all([countersOf([formId], days), submissionsOf(formId, days)]);
      const data = days.map((date, n): StatsOut[number] => ({
        ...popupDay(date, found.get(popupCounterId(formId, date))),
        submissions: submitted[n] ?? 0,
      }));
      return { data };
    },

    /** For lists of forms. Forms of other accounts are left out. */
    statsOfForms: async ({ query, caller }: RouteRequest<FormsStatsQuery>): Promise<Reply> => {
      const days = daysIn(query);
      const own = await forms.find({
        _id: { $in: query.formIds },
        accountId: caller.accountId,
        deletedAt: null,
      });
      const ownIds = new Set(own.filter((form) => maySeeForm(caller, form)).map(({ _id }) => _id));
      const formIds = query.formIds.filter((formId) => ownIds.has(formId));
      const [found, ...totals] = await Promise.all([
        countersOf(formIds, days),
        ...formIds.map(allSubmissionsOf),
      ]);
      const data = formIds.map((formId, n): FormsStatsOut[number] => ({
        formId,
        totalSubmissions: totals[n] ?? 0,
        days: days.map((date) => popupDay(date, found.get(popupCounterId(formId, date)))),
      }));
      return { data };
    },
  };
}

function popupDay(
  date: string,
  counter: PopupCounterRecord | undefined,
): FormsStatsOut[number]['days'][number] {
  const { shown = 0, converted = 0, declined = 0, viewed = 0, submitted } = counter ?? {};
  return {
    date,
    shown,
    converted,
    declined,
    ...(viewed > 0 && { viewed }),
    ...(submitted !== undefined && { submitted }),
  };
}

/** A filter for the times of a day. */
function within(day: string) {
  return { $gte: `${day}T00:00:00.000Z`, $lte: `${day}T23:59:59.999Z` };
}
