import type { FormField } from '@svcforms/contracts';
import { formTexts } from '../../../texts/form.ts';

const { tabs, fieldName } = formTexts;

/** The settings that aren't edited on the Build screen, where most of `tasks` is. */
const TABS: Readonly<Record<string, string>> = {
  popup: tabs.display,
  placement: tabs.display,
  position: tabs.display,
  language: tabs.languages,
  translations: tabs.languages,
  closing: tabs.publish,
  notifications: tabs.settings,
  allowedOrigins: tabs.settings,
  metadata: tabs.settings,
  'tasks.emitSubmissionEvents': tabs.settings,
  retentionDays: tabs.settings,
};

/**
 * What users call the part of a form at a path, for errors: `fields`, `1`, `name` is the label of
 * the second field; `settings`, `popup`, `delayMs` is the Display screen.
 */
export function namePart(
  fields: readonly FormField[],
  [top = '', key = '', part = '']: readonly string[],
): string {
  if (top !== 'fields' || key === '') return TABS[key] ?? TABS[`${key}.${part}`] ?? tabs.build;
  const label = fields[Number(key)]?.label;
  return label?.trim() ? fieldName.labelled(label) : fieldName.numbered(Number(key) + 1);
}
