import type { PopupEventType, PublicForm } from '@svcforms/contracts';
import { createVisitorRecord, type VisitorRecord } from '../rules/visitor-record.ts';
import type { Armed } from './arm.ts';
import type { Load } from './chunks.ts';
import type { ConsentWatch } from './consent.ts';
import { whenSeen } from './when-seen.ts';

/** A form that this page has loaded, with its state. */
export interface FormEntry {
  /** Origin of the service that has the form. */
  base: string;
  form: PublicForm;
  record: VisitorRecord;
  /** Absent if the form has no consent source or the chunk hasn't loaded. */
  consent?: ConsentWatch;
  /** Resolves when the consent state can be read. */
  ready: () => Promise<void> | undefined;
  armed: Set<Armed>;
  isOpen: boolean;
  /** Whether the visitor's consent, if the form names a source, allows counting. */
  mayCount: () => Promise<boolean>;
  /** Counts the event, once the visitor has seen the page. */
  count: (type: PopupEventType) => void;
}

/** Where forms and chunks are loaded from. */
export interface Service {
  base: string;
  load: Load<'consent'>;
}

/**
 * `base` is the origin of the service that has the form; by default the one it was loaded from,
 * else that of the first tag.
 */
export type Find = (formId: string, base?: string) => Promise<FormEntry | undefined>;

/** How long the page waits for a form that it already has, in milliseconds. */
const REREAD_MS = 2000;

/**
 * Returns a function that creates one entry for each form, with the form as it is now: somebody may
 * have closed or changed it since the page loaded. It resolves with undefined if there is no such
 * form. A form that this page has already loaded stays if it can't be loaded again, even if it was
 * deleted.
 */
export function createFinder(service: Service): Find {
  /** Has no prototype because pages may ask for a form of any name. */
  const entries: Record<string, FormEntry | undefined> = Object.create(null);
  return async (formId, base = entries[formId]?.base ?? service.base) => {
    // For a minute, the browser takes it from its cache.
    const request = fetch(`${base}/embed/forms/${formId}.json`);
    const record = createVisitorRecord(formId);
    // Without a connection, or with a slow one, the page keeps the form that it has.
    const form = await Promise.race([
      request.then<PublicForm | false>((response) => response.ok && response.json()).catch(() => {}),
      new Promise<void>((resolve) => entries[formId] && setTimeout(resolve, REREAD_MS)),
    ]);
    if (form) (entries[formId] ??= createEntry({ ...service, base }, form, record)).form = form;
    return entries[formId];
  };
}

function createEntry({ base, load }: Service, form: PublicForm, record: VisitorRecord): FormEntry {
  const source = form.popup?.trackingConsent ?? {};
  const { category: _, ...sources } = source;
  const hasSource = Object.values(sources).join('');
  let loading: Promise<void> | undefined;
  const entry: FormEntry = {
    base,
    form,
    record,
    armed: new Set(),
    isOpen: false,
    async mayCount() {
      await entry.ready();
      return entry.consent?.mayCount() ?? !hasSource;
    },
    count: (type) => void whenSeen.then(entry.mayCount).then((may) => may && count(base, form.id, type)),
    ready() {
      if (hasSource) {
        loading ??= load('consent').then(
          ({ watchConsent }) => {
            entry.consent = watchConsent(source, {
              formId: form.id,
              isLive: () => entry.isOpen || [...entry.armed].some((armed) => armed.isLive()),
              onWithdrawn: () => entry.armed.forEach((armed) => armed.end()),
            });
          },
          // If the chunk fails to load, nothing counts until it loads in a later call.
          () => (loading = undefined),
        );
      }
      return loading;
    },
  };
  return entry;
}

/**
 * Sends an event without a preflight or credentials, in a request that outlives the page.
 * docs/reference/popups.md#popup-events
 */
function count(base: string, formId: string, type: PopupEventType): void {
  fetch(`${base}/api/forms/${formId}/events`, {
    method: 'POST',
    body: JSON.stringify({ type }),
    keepalive: true,
    credentials: 'omit',
  }).catch(() => {});
}
