// The past of the account that npm run screenshots shows: what was made in a moment is told as if it had come in the course of weeks.
import { readFileSync, writeFileSync } from 'node:fs';

const DAY_MS = 86_400_000;
const DAYS = 30;
/** Of visitors that saw a popup, one of so many submits it. */
const SHOWN_FOR_ONE = 6;

/**
 * Changes a dump (`npm run admin -- dump`): the older a form, its submissions and its changes are, the earlier they were made; and popups
 * were shown all the time.
 */
export function spreadOverWeeks(path) {
  const lines = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const documentsIn = (name) => lines.filter((line) => line.in === name).map(({ document }) => document);
  const now = Date.now();

  documentsIn('forms').forEach((form, n, all) => {
    form.createdAt = new Date(now - (all.length - n) * 9 * DAY_MS).toISOString();
    form.updatedAt = new Date(now - ((all.length - n) ** 2 - 0.9) * DAY_MS).toISOString();
  });
  const submittedOn = new Map();
  for (const { _id } of documentsIn('forms')) {
    const submissions = documentsIn('submissions').filter(({ formId }) => formId === _id);
    submissions.forEach((submission, n) => {
      const age = momentOf(n / submissions.length) * DAYS * DAY_MS;
      const at = new Date(now - age).toISOString();
      // What was just sent stays so.
      if (n < submissions.length - 3) submission.createdAt = at;
      const key = `${submission.formId}|${submission.createdAt.slice(0, 10)}`;
      submittedOn.set(key, (submittedOn.get(key) ?? 0) + 1);
    });
  }
  const others = lines.filter((line) => line.in !== 'popup_counters' && !('end' in line));
  const counters = documentsIn('forms').flatMap(({ _id: formId, settings }) => {
    if (!settings.popup?.enabled) return [];
    return Array.from({ length: DAYS }, (_, ago) => {
      const day = new Date(now - ago * DAY_MS).toISOString().slice(0, 10);
      const converted = submittedOn.get(`${formId}|${day}`) ?? 0;
      const shown = converted * SHOWN_FOR_ONE + ((ago * 7) % 11);
      const document = {
        _id: `${formId}|${day}`,
        formId,
        day,
        shown,
        converted,
        declined: Math.round(shown / 5),
      };
      return { in: 'popup_counters', document };
    });
  });
  const changed = [...others, ...counters];
  const end = {
    documents: changed.filter((line) => 'document' in line).length,
    events: changed.filter((line) => 'event' in line).length,
  };
  writeFileSync(path, [...changed, { end }].map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** More came on some days than on others. Of the first it is 1, of the last 0. */
function momentOf(part) {
  return Math.max(0, 1 - part - Math.sin(part * 26) / 60);
}
