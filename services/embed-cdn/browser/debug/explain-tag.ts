import { checkDisplay, type PublicForm } from '@svcforms/contracts';
import { has, planOf, readPlacement } from '../core/placement.ts';
import { isMobile } from '../rules/devices.ts';

/** Says on the console which rules let the form of a script tag be shown to this visitor on this page, and which don't. */
export async function explainTag(tag: Element, base: string): Promise<void> {
  const placement = readPlacement(tag);
  const { formId } = placement;
  if (!formId) return say('a script tag without data-svc-form-id shows nothing by itself');
  const answer = await fetch(`${base}/embed/forms/${formId}.json`);
  if (!answer.ok) return say(`${formId}: there is no such form`);
  const form = (await answer.json()) as PublicForm;
  await parsed();
  const plan = planOf(placement, form);
  if (has(tag, 'inline') || !plan) return say(`${formId}: it stands in the page, where its script tag is`);
  const rules = checkDisplay(
    form.popup ?? {},
    {
      path: location.pathname,
      device: isMobile() ? 'mobile' : 'desktop',
      now: Date.now(),
      hasWarmLead: !!document.querySelector('[data-warm-lead="true"]'),
      ...remembered(formId),
    },
    plan,
  );
  const isHeld = rules.some(({ ok }) => !ok);
  say(
    [
      `${formId}: ${isHeld ? 'it is held back' : 'it is armed'}`,
      ...rules.map(({ rule, ok, text }) => `${ok ? '  ok  ' : '  NO  '}${rule}: ${text}`),
      ...rules.flatMap(({ rule, warning }) => (warning ? `  !!  ${rule}: ${warning}` : [])),
    ].join('\n'),
  );
}

/** Resolves when every tag of the page is there to be found. */
async function parsed(): Promise<void> {
  if (document.readyState !== 'loading') return;
  await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }));
}

/** As rules/visitor-record.ts keeps it. Storage may be blocked: then nothing is remembered. */
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
