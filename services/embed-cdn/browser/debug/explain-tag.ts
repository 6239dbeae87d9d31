import { checkDisplay, type Condition, type PublicForm } from '@svcforms/contracts';
import { readPlacement, savedPlanOf } from '../core/placement.ts';
import { isMobile } from '../rules/devices.ts';
import { readTriggers } from '../triggers/read-triggers.ts';
import { ruleText } from './rule-text.ts';

/** See docs/reference/triggers.md#engagement. */
const ANALYTICS_TAG =
  '  !!  trigger: The page has no analytics tag: intent fires only if your analytics runs with data-warm-lead="true" on its script tag, and data-svc-analytics on our tag names the prefix of its events.';

/**
 * Logs to the console which rules pass and which block the form of a script tag for this visitor on
 * this page.
 */
export async function explainTag(tag: Element, base: string): Promise<void> {
  const { formId, triggers } = readPlacement(tag);
  if (!formId) return say('a script tag without data-svc-form-id shows no form');
  const response = await fetch(`${base}/embed/forms/${formId}.json`);
  if (!response.ok) return say(`${formId}: there is no such form`);
  const form = (await response.json()) as PublicForm;
  await parsed();
  const plan = triggers ? readTriggers(triggers) : savedPlanOf(tag, form);
  if (!plan) return say(`${formId}: it is inline, at its script tag`);
  if (form.closed) return say(`${formId}: it is closed, so it doesn't open`);
  const invalid = plan.flat().filter((condition) => !isObservable(condition));
  const rules = checkDisplay(
    form.popup ?? {},
    {
      path: location.pathname,
      device: isMobile() ? 'mobile' : 'desktop',
      now: Date.now(),
      hasWarmLead: !!document.querySelector('[data-warm-lead="true"]'),
      ...remembered(formId),
    },
    // An alternative with an invalid condition can never be met.
    plan.filter((conditions) => conditions.every(isObservable)),
  );
  const isBlocked = rules.some(({ ok }) => !ok);
  say(
    [
      `${formId}: ${isBlocked ? 'it is blocked' : 'it is armed'}`,
      ...rules.map((check) => `${check.ok ? '  ok  ' : '  NO  '}${check.rule}: ${ruleText(check)}`),
      ...invalid.map((condition) => `  !!  trigger: ${selectorOf(condition)} isn't a CSS selector`),
      ...(rules.some((check) => check.rule === 'trigger' && check.analyticsTag) ? [ANALYTICS_TAG] : []),
    ].join('\n'),
  );
}

const selectorOf = (condition: Condition) => ('selector' in condition ? condition.selector : undefined);

/** Whether the embed can arm the condition: any without a selector, or with a valid one. */
function isObservable(condition: Condition): boolean {
  try {
    document.querySelector(selectorOf(condition) ?? '*');
    return true;
  } catch {
    return false;
  }
}

/** Resolves when the page is parsed, so that every tag can be found. */
async function parsed(): Promise<void> {
  if (document.readyState !== 'loading') return;
  await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }));
}

/** Reads the record of rules/visitor-record.ts. Blocked storage counts as an empty record. */
function remembered(formId: string): object {
  try {
    const memory = JSON.parse(localStorage.getItem(`svc:${formId}`) ?? '{}') as object;
    return { ...memory, isSeenInSession: !!sessionStorage.getItem(`svc:${formId}`) };
  } catch {
    return {};
  }
}

function say(text: string): void {
  console.info(`SvcForms ${text}`);
}
