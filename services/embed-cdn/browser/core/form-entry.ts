import type { PublicForm } from '@svcforms/contracts';
import { watchConsent, type ConsentReader, type ConsentWatch } from '../consent/watch-consent.ts';
import { createVisitorRecord, type VisitorRecord } from '../rules/visitor-record.ts';
import type { Armed } from './arm.ts';
import { count } from './count.ts';

/** A form that this page has loaded, and all that goes on with it. */
export interface FormEntry {
  form: PublicForm;
  record: VisitorRecord;
  consent: ConsentWatch;
  armed: Armed[];
  isOpen: boolean;
  count: (type: 'shown' | 'converted' | 'declined') => Promise<void>;
}

/** Where forms and parts of the script come from. */
export interface Service {
  base: string;
  loadConsent: () => Promise<ConsentReader>;
}

/** Loads what a browser may see of the form; undefined where there is none, which is no reason to disturb the page. */
export async function loadForm(service: Service, formId: string): Promise<FormEntry | undefined> {
  try {
    const isAsked = fetch(`${service.base}/embed/forms/${formId}.json`);
    const record = createVisitorRecord(formId);
    const answer = await isAsked;
    return answer.ok ? createEntry(service, (await answer.json()) as PublicForm, record) : undefined;
  } catch {
    return undefined;
  }
}

function createEntry({ base, loadConsent }: Service, form: PublicForm, record: VisitorRecord): FormEntry {
  const entry: FormEntry = {
    form,
    record,
    armed: [],
    isOpen: false,
    async count(type) {
      await entry.consent.ready();
      if (entry.consent.mayCount()) count(base, form.id, type);
    },
    consent: watchConsent(form.popup?.trackingConsent, {
      record,
      isLive: () => entry.isOpen || entry.armed.some((armed) => armed.isLive()),
      load: loadConsent,
      onWithdrawn: () => entry.armed.forEach((armed) => armed.end()),
    }),
  };
  return entry;
}
