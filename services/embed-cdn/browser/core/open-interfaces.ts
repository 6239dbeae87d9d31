import { keepsPage, targetOf } from './click-target.ts';

/** The page's own ways to open a form: `data-svc-open` on any element, also a later one, and the event `svc:open`. */
export function listenForOpens(open: (formId: string) => unknown): void {
  document.addEventListener(
    'click',
    (event) => {
      const formId = targetOf(event)?.closest('[data-svc-open]')?.getAttribute('data-svc-open');
      if (!formId || !keepsPage(event)) return;
      if (targetOf(event)?.closest('a[href]')) event.preventDefault();
      open(formId);
    },
    true,
  );
  document.addEventListener('svc:open', (event) => {
    const formId = (event as CustomEvent<{ formId?: unknown } | null>).detail?.formId;
    if (typeof formId === 'string') open(formId);
  });
}
