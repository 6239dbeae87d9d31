import { checkDisplay, type PageView, type Popup } from '@svcforms/contracts';
import { DAY_MS } from '@svcforms/primitives';
import { agentTexts } from '../../dashboard/src/texts/agents.ts';
import { buildTexts } from '../../dashboard/src/texts/build.ts';
import { conflictTexts } from '../../dashboard/src/texts/conflict.ts';
import { deletedTexts } from '../../dashboard/src/texts/deleted-form.ts';
import { developersTexts } from '../../dashboard/src/texts/developers.ts';
import { ruleText, ruleWarning } from '../../dashboard/src/texts/display-check.ts';
import { displayTexts } from '../../dashboard/src/texts/display.ts';
import { firstStepsTexts } from '../../dashboard/src/texts/first-steps.ts';
import { formSettingsTexts } from '../../dashboard/src/texts/form-settings.ts';
import { formTexts } from '../../dashboard/src/texts/form.ts';
import { formsTexts } from '../../dashboard/src/texts/forms.ts';
import { generatedPasswordTexts } from '../../dashboard/src/texts/generated-password.ts';
import { approvalsTexts, groupsTexts } from '../../dashboard/src/texts/groups.ts';
import { inboundTexts } from '../../dashboard/src/texts/inbound.ts';
import { inboxTexts } from '../../dashboard/src/texts/inbox.ts';
import { keyTexts } from '../../dashboard/src/texts/keys.ts';
import { languagesTexts } from '../../dashboard/src/texts/languages.ts';
import { endedTexts, lateDecisionTexts, unconfirmedTexts } from '../../dashboard/src/texts/late-decision.ts';
import { loginPageTexts } from '../../dashboard/src/texts/login-pages.ts';
import { loginTexts } from '../../dashboard/src/texts/login.ts';
import { missingTexts } from '../../dashboard/src/texts/missing.ts';
import { paletteTexts } from '../../dashboard/src/texts/palette.ts';
import { payloadTexts } from '../../dashboard/src/texts/payload.ts';
import { publishTexts } from '../../dashboard/src/texts/publish.ts';
import { otherUserTexts } from '../../dashboard/src/texts/other-user.ts';
import { secretTexts } from '../../dashboard/src/texts/secret.ts';
import { settingsTexts } from '../../dashboard/src/texts/settings.ts';
import { shareTexts } from '../../dashboard/src/texts/share.ts';
import { shellTexts } from '../../dashboard/src/texts/shell.ts';
import { slackTexts } from '../../dashboard/src/texts/slack.ts';
import { submissionsTexts } from '../../dashboard/src/texts/submissions.ts';
import { unsavedTexts } from '../../dashboard/src/texts/unsaved.ts';
import { filterTexts } from '../../dashboard/src/texts/webhook-filters.ts';
import { webhooksTexts } from '../../dashboard/src/texts/webhooks.ts';
import { BUILT_IN_TEMPLATES } from '../../services/forms-api/src/forms/built-in-templates.ts';

/** Every text that users read in the dashboard, by area, in the order of the navigation. */
const AREAS: Readonly<Record<string, object>> = {
  'Every screen': shellTexts,
  'Search and commands': paletteTexts,
  'Missing pages': missingTexts,
  'Unsaved changes': unsavedTexts,
  'Conflicting changes': conflictTexts,
  'Deleted form': deletedTexts,
  'Another user': otherUserTexts,
  Secrets: secretTexts,
  'Generated passwords': generatedPasswordTexts,
  Login: loginTexts,
  'Login pages': loginPageTexts,
  Forms: formsTexts,
  'One form': formTexts,
  'First steps': firstStepsTexts,
  Build: buildTexts,
  Approvals: approvalsTexts,
  Display: displayTexts,
  Languages: languagesTexts,
  Publish: publishTexts,
  Submissions: submissionsTexts,
  Webhooks: webhooksTexts,
  'Payload of webhooks': payloadTexts,
  'Filters of webhooks': filterTexts,
  Inbound: inboundTexts,
  Share: shareTexts,
  'Form settings': formSettingsTexts,
  Inbox: inboxTexts,
  'Late decisions': lateDecisionTexts,
  'Decisions without a response': unconfirmedTexts,
  'Tasks that end': endedTexts,
  Developers: developersTexts,
  Settings: settingsTexts,
  Groups: groupsTexts,
  'API keys': keyTexts,
  Agents: agentTexts,
  Slack: slackTexts,
};

const VIEW: PageView = { path: '/pricing', device: 'desktop', now: 1_000 * DAY_MS };
/** Popups and page views that make the display check say each of its sentences. */
const CHECKED: readonly [Popup, Partial<PageView>][] = [
  [{ enabled: true, trigger: 'exit' }, {}],
  [{ enabled: false, trigger: 'click' }, {}],
  [{ trigger: 'intent', intentLevel: 'hot', devices: 'mobile' }, {}],
  [{ trigger: 'intent', intentLevel: 'hot' }, { hasWarmLead: false }],
  [{ pages: { include: ['/pricing'] }, maxShows: 3 }, { shows: 1 }],
  [{ pages: { include: ['/blog/*'] }, frequencyDays: 0 }, {}],
  [{ pages: { exclude: ['/pricing'] }, frequencyDays: 0 }, { isSeenInSession: true }],
  [{ pages: { exclude: ['/blog/*'] } }, { waitFrom: 997 * DAY_MS, declinedAt: 997 * DAY_MS }],
  [{ decline: { suppressDays: 0 } }, { waitFrom: 900 * DAY_MS, declinedAt: 900 * DAY_MS }],
];

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
    ...displayCheckTexts().map((text) => ({ area: 'Display check', ...text })),
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

function displayCheckTexts(): Omit<UiText, 'area'>[] {
  const texts = CHECKED.flatMap(([popup, view]) =>
    checkDisplay(popup, { ...VIEW, ...view }).flatMap((check) =>
      [ruleText(check), ruleWarning(check)].map((text) => ({ key: check.rule, text: text ?? '' })),
    ),
  ).filter(({ text }) => text !== '');
  return [...new Map(texts.map((one) => [one.text, one])).values()].toSorted((one, other) =>
    one.key.localeCompare(other.key),
  );
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
  /^(count|members|shown|converted|webhooks|submissions|days|\w+Days|maxShows|index|number|position|step)$/;

/**
 * Calls the function with 1 and with 2 in place of its numbers, and with `{name}` for other values.
 */
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
