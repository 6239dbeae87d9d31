import { buildTexts } from '../../dashboard/src/texts/build.ts';
import { conflictTexts } from '../../dashboard/src/texts/conflict.ts';
import { developersTexts } from '../../dashboard/src/texts/developers.ts';
import { displayTexts } from '../../dashboard/src/texts/display.ts';
import { formTexts } from '../../dashboard/src/texts/form.ts';
import { formsTexts } from '../../dashboard/src/texts/forms.ts';
import { generatedPasswordTexts } from '../../dashboard/src/texts/generated-password.ts';
import { inboundTexts } from '../../dashboard/src/texts/inbound.ts';
import { inboxTexts } from '../../dashboard/src/texts/inbox.ts';
import { keyTexts } from '../../dashboard/src/texts/keys.ts';
import { loginTexts } from '../../dashboard/src/texts/login.ts';
import { paletteTexts } from '../../dashboard/src/texts/palette.ts';
import { secretTexts } from '../../dashboard/src/texts/secret.ts';
import { settingsTexts } from '../../dashboard/src/texts/settings.ts';
import { shareTexts } from '../../dashboard/src/texts/share.ts';
import { shellTexts } from '../../dashboard/src/texts/shell.ts';
import { submissionsTexts } from '../../dashboard/src/texts/submissions.ts';
import { unsavedTexts } from '../../dashboard/src/texts/unsaved.ts';
import { filterTexts } from '../../dashboard/src/texts/webhook-filters.ts';
import { webhooksTexts } from '../../dashboard/src/texts/webhooks.ts';
import { BUILT_IN_TEMPLATES } from '../../services/forms-api/src/forms/built-in-templates.ts';

/** Every text that users read in the dashboard, by area, in the order of the navigation. */
const AREAS: Readonly<Record<string, object>> = {
  'Every screen': shellTexts,
  'Search and commands': paletteTexts,
  'Unsaved changes': unsavedTexts,
  'Conflicting changes': conflictTexts,
  Secrets: secretTexts,
  'Generated passwords': generatedPasswordTexts,
  Login: loginTexts,
  Forms: formsTexts,
  'One form': formTexts,
  Build: buildTexts,
  Display: displayTexts,
  Submissions: submissionsTexts,
  Webhooks: webhooksTexts,
  'Filters of webhooks': filterTexts,
  Inbound: inboundTexts,
  Share: shareTexts,
  Inbox: inboxTexts,
  Developers: developersTexts,
  Settings: settingsTexts,
  'API keys': keyTexts,
};

/** Keys of templates that nobody reads. */
const TEMPLATE_DATA = /(^|\.)(template|type|name|value|field|equals|trigger|selector|exclude\.\d+)$/;
const TEMPLATE_NAME = /^\d+\.name$/;

export interface UiText {
  area: string;
  /** Path inside the area: `fields.add`. */
  key: string;
  /** Texts with a number have one line for each grammatical number. */
  text: string;
}

/** The texts of the dashboard and of the built-in form templates. */
export function uiTexts(): UiText[] {
  const templates = textsIn(BUILT_IN_TEMPLATES).filter(
    ({ key }) => TEMPLATE_NAME.test(key) || !TEMPLATE_DATA.test(key),
  );
  return [
    ...Object.entries(AREAS).flatMap(([area, texts]) => textsIn(texts).map((text) => ({ area, ...text }))),
    ...templates.map((text) => ({ area: 'Form templates', ...text })),
  ];
}

/** The texts as Markdown, one block for each area, to be read from top to bottom. */
export function uiCopyDocument(): string {
  const texts = uiTexts();
  const areas = [...new Set(texts.map(({ area }) => area))].map((area) => {
    const lines = texts.filter((one) => one.area === area).map(({ key, text }) => `${key}: ${text}`);
    return `## ${area}\n\n\`\`\`text\n${lines.join('\n')}\n\`\`\``;
  });
  const intro =
    'Every text of the dashboard and of the built-in form templates, generated from the source. `node tools/run.mjs docs/generate` updates this file. `{name}` stands for a value.';
  return [`# UI texts\n\n${intro}`, ...areas, ''].join('\n\n');
}

function textsIn(value: unknown, path: readonly string[] = []): Omit<UiText, 'area'>[] {
  const key = path.join('.');
  if (typeof value === 'string') return value.trim() === '' ? [] : [{ key, text: value }];
  if (typeof value === 'function') {
    return samplesOf(value as (...args: unknown[]) => string).map((text) => ({ key, text }));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, [...path, name]));
}

const COUNTS =
  /^(count|shown|converted|webhooks|submissions|days|\w+Days|maxShows|index|number|position|step)$/;

/** Calls the function with 1 and with 2 in place of its numbers, and with `{name}` for other values. */
function samplesOf(text: (...args: unknown[]) => string): string[] {
  const parameters = /^\(?([^)=]*)/.exec(text.toString())?.[1] ?? '';
  const names = parameters
    .split(',')
    // The bundler numbers names that several modules have.
    .map((name) => name.trim().replace(/\d+$/, ''))
    .filter(Boolean);
  const sample = (number: number) => text(...names.map((name) => (COUNTS.test(name) ? number : `{${name}}`)));
  const [one, two] = [sample(1), sample(2)];
  return one.replaceAll('1', '2') === two ? [two] : [one, two];
}
