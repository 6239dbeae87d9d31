import { closest, openInstead, type IsLate } from './click-target.ts';

/**
 * The page's own ways to open a form: `data-svc-open` on any element, present or added later, and
 * the event `svc:open`.
 */
export function listenForOpens(open: (formId: string, isLate?: IsLate) => Promise<boolean>): void {
  document.addEventListener(
    'click',
    (event) => {
      const formId = closest(event, '[data-svc-open]')?.getAttribute('data-svc-open');
      if (formId) openInstead(event, (isLate) => open(formId, isLate));
    },
    true,
  );
  document.addEventListener('svc:open', (event) => {
    const formId = (event as CustomEvent<{ formId?: string } | null>).detail?.formId;
    if (formId) void open(formId);
  });
}
