import {
  AppError,
  daysOf,
  validationFailed,
  type PopupEventIn,
  type StatsOut,
  type StatsQuery,
} from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { Reply, RouteRequest } from '@svcforms/http-kit';
import type { FormRecord, PopupCounterRecord, SubmissionRecord } from '@svcforms/records';
import { ownForm } from '../forms/forms.ts';
import type { Count } from './count-together.ts';

export interface PopupCountersDeps {
  forms: Collection<FormRecord>;
  /** Reads what is stored now. */
  findForm: (formId: string) => Promise<FormRecord | null>;
  submissions: Collection<SubmissionRecord>;
  counters: Collection<PopupCounterRecord>;
  count: Count;
  now: () => number;
}

/** How often popups were shown, converted and declined, by day in UTC. spec: popup-forms, Events; contract: api.md §3 */
export function createPopupCounters(deps: PopupCountersDeps) {
  const { forms, findForm, submissions, counters, count, now } = deps;
  const today = () => new Date(now()).toISOString().slice(0, 10);

  return {
    /** What the embed tells. */
    event: async ({ params, body }: RouteRequest<unknown, PopupEventIn, null>): Promise<Reply> => {
      const form = await findForm(params['formId'] ?? '');
      if (!form || form.deletedAt) throw new AppError('NOT_FOUND', 'There is no such form');
      await count(form._id, today(), body.type);
      return {};
    },

    stats: async ({ params, query, caller }: RouteRequest<StatsQuery>): Promise<Reply> => {
      const { _id: formId } = await ownForm(forms, caller, params['formId'] ?? '');
      const days = daysOf(query, today());
      if (!Array.isArray(days)) throw validationFailed([days]);
      const [found, ...submitted] = await Promise.all([
        counters.find({ formId, day: { $gte: days[0] ?? '', $lte: days.at(-1) ?? '' } }),
        ...days.map((day) => submissions.count({ formId, createdAt: within(day) })),
      ]);
      const byDay = new Map(found.map((counter) => [counter.day, counter]));
      const data = days.map((date, n): StatsOut[number] => {
        const { shown = 0, converted = 0, declined = 0 } = byDay.get(date) ?? {};
        return { date, shown, converted, declined, submissions: submitted[n] ?? 0 };
      });
      return { data };
    },
  };
}

/** Times within a day: as texts they are after the day itself, and before its end. */
function within(day: string) {
  return { $gte: `${day}T00:00:00.000Z`, $lte: `${day}T23:59:59.999Z` };
}
