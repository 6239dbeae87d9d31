import { FormsStatsOut, FormsStatsQuery, PopupEventIn, StatsOut, StatsQuery } from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
import { createPopupCounters, type PopupCountersDeps } from './popup-counters.ts';

const FORM = '/api/forms/:formId';

const readForms = { scope: 'forms:read' } as const;

export function popupCounterRoutes(deps: PopupCountersDeps): Route[] {
  const popupCounters = createPopupCounters(deps);
  // prettier-ignore
  return [
    route({ method: 'POST', path: `${FORM}/events`, summary: 'Count a popup event', operationId: 'countPopupEvent', tag: 'Popup counters',
      access: 'public', crossOrigin: true, limit: 'counters', body: PopupEventIn, takesText: true, status: 204, audit: null, handler: popupCounters.event }),
    route({ method: 'GET', path: `${FORM}/stats`, summary: 'Get popup counters and submissions by day', operationId: 'getStats',
      access: readForms, query: StatsQuery, status: 200, response: StatsOut, handler: popupCounters.stats }),
    route({ method: 'GET', path: '/api/stats', summary: 'Get popup counters and submissions of several forms', operationId: 'getStatsOfForms',
      access: readForms, query: FormsStatsQuery, status: 200, response: FormsStatsOut,
      description: 'Omits forms that do not exist or belong to another account.', handler: popupCounters.statsOfForms }),
  ];
}
