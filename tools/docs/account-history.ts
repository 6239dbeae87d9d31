import { DAY_MS } from '@svcforms/primitives';
import { readFileSync, writeFileSync } from 'node:fs';

const DAYS = 60;
/** One of this many visitors who see a popup submits it. */
const IMPRESSIONS_PER_SUBMISSION = 6;

interface StoredDocument {
  _id: string;
  formId: string;
  createdAt: string;
  updatedAt: string;
  settings: { popup?: { enabled?: boolean } };
}

/** A line of a dump: a document of a collection, an event, or the end. */
type DumpLine = { in?: string } & ({ document: StoredDocument } | { event: unknown } | { end: unknown });

/**
 * Changes a dump (`npm run admin -- dump`), so that the screenshots of npm run screenshots show an
 * account with a history: older forms and submissions get earlier dates, and popups get impressions
 * for every day.
 */
export function spreadOverWeeks(path: string): void {
  const lines = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as DumpLine);
  const documentsIn = (name: string) =>
    lines.flatMap((line) => (line.in === name && 'document' in line ? [line.document] : []));
  const forms = documentsIn('forms');
  const now = Date.now();

  for (const [n, form] of forms.entries()) {
    const age = forms.length - n;
    form.createdAt = new Date(now - age * 9 * DAY_MS).toISOString();
    form.updatedAt = new Date(now - (age ** 2 - 0.9) * DAY_MS).toISOString();
  }
  const submittedOn = new Map<string, number>();
  for (const { _id } of forms) {
    const submissions = documentsIn('submissions').filter(({ formId }) => formId === _id);
    for (const [n, submission] of submissions.entries()) {
      const age = ageOf(n / submissions.length) * DAYS * DAY_MS;
      // The last ones stay recent.
      if (n < submissions.length - 3) submission.createdAt = new Date(now - age).toISOString();
      const key = `${submission.formId}|${submission.createdAt.slice(0, 10)}`;
      submittedOn.set(key, (submittedOn.get(key) ?? 0) + 1);
    }
  }
  const counters = forms.flatMap(({ _id: formId, settings }) => {
    if (!settings.popup?.enabled) return [];
    return Array.from({ length: DAYS }, (_, ago) => {
      const day = new Date(now - ago * DAY_MS).toISOString().slice(0, 10);
      const converted = submittedOn.get(`${formId}|${day}`) ?? 0;
      const shown = converted * IMPRESSIONS_PER_SUBMISSION + ((ago * 7) % 11);
      const declined = Math.round(shown / 5);
      const document = { _id: `${formId}|${day}`, formId, day, shown, converted, declined };
      return { in: 'popup_counters', document };
    });
  });
  const others = lines.filter((line) => line.in !== 'popup_counters' && !('end' in line));
  const changed = [...others, ...counters];
  const end = {
    documents: changed.filter((line) => 'document' in line).length,
    events: changed.filter((line) => 'event' in line).length,
  };
  writeFileSync(path, [...changed, { end }].map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/**
 * From 1 for the first submission to 0 for the last one; some days get more submissions than
 * others.
 */
function ageOf(share: number): number {
  return Math.max(0, 1 - share - Math.sin(share * 26) / 60);
}
