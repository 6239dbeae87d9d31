import { pointerOf, valueAtPointer, type FormDefinition } from '@svcforms/contracts';
import { formErrors } from '../../../api/api-error.ts';
import { buildTexts } from '../../../texts/build.ts';
import { formTexts } from '../../../texts/form.ts';
import { approvalsTexts } from '../../../texts/groups.ts';

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

/** The sections of the Build screen below the fields. */
export const BUILD_SECTIONS = {
  about: buildTexts.about,
  theme: buildTexts.theme.title,
  jumps: buildTexts.logic.title,
  ending: buildTexts.ending.title,
  approvals: approvalsTexts.title,
  spam: buildTexts.spam.title,
};

const SECTIONS: Readonly<Record<string, keyof typeof BUILD_SECTIONS>> = {
  name: 'about',
  title: 'about',
  intro: 'about',
  description: 'about',
  'settings.theme': 'theme',
  'settings.jumps': 'jumps',
  'settings.endings': 'ending',
  'settings.thankYou': 'ending',
  'settings.submitLabel': 'ending',
  'settings.keepDraft': 'ending',
  'settings.tasks': 'approvals',
  'settings.reviewers': 'approvals',
  'settings.spam': 'spam',
};

const otherScreenOf = ([, key = '', part = '']: readonly string[]) => TABS[key] ?? TABS[`${key}.${part}`];

/** The section of the Build screen that edits what is at a path; undefined for fields. */
export function buildSectionOf(path: readonly string[]): keyof typeof BUILD_SECTIONS | undefined {
  const [top = '', key = ''] = path;
  return otherScreenOf(path) ? undefined : (SECTIONS[top] ?? SECTIONS[`${top}.${key}`]);
}

/** The lists that are typed as lines of one input. */
const LINES = ['settings.notifications.emails', 'settings.allowedOrigins', 'settings.spam.blockList'];

/**
 * What users call the part of a form at a path, for errors: `fields`, `1`, `name` is the label of
 * the second field, or its name; `settings`, `popup`, `delayMs` is the Display screen, and
 * `settings`, `theme` a section of the Build screen. A line of an input, such as an email address,
 * is named too.
 */
export function namePart(form: Partial<FormDefinition>, path: readonly string[]): string {
  const [top = '', key = ''] = path;
  if (top === 'fields' && key !== '') {
    const field = form.fields?.[Number(key)];
    // The list of fields shows the name of a field without a label.
    const shown = field?.label?.trim() || field?.name.trim();
    return shown ? fieldName.labelled(shown) : fieldName.numbered(Number(key) + 1);
  }
  const section = buildSectionOf(path);
  const line = lineAt(form, path);
  return [
    otherScreenOf(path) ?? tabs.build,
    section && BUILD_SECTIONS[section],
    line !== undefined && fieldName.labelled(line),
  ]
    .filter(Boolean)
    .join(', ');
}

/**
 * The errors of a failed save, by path. An error of a line names the line, because the lines of
 * its input may change after the save.
 */
export function draftErrors(error: unknown, form: Partial<FormDefinition>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(formErrors(error)).map(([path, message]) => {
      const line = lineAt(form, path.split('.'));
      return [path, line === undefined ? message : `${fieldName.labelled(line)}: ${message}`];
    }),
  );
}

/** The line at the path, if the path leads to one. */
function lineAt(form: Partial<FormDefinition>, path: readonly string[]): string | undefined {
  if (!LINES.includes(path.slice(0, -1).join('.'))) return undefined;
  return valueAtPointer(form, pointerOf(path))?.value as string | undefined;
}
