import type { FormOut } from '@svcforms/contracts';

/**
 * The snippets for web pages. `origin` is the server's. Ids and origins need no escaping in HTML. A
 * form with hidden fields gets their values from the URL of the page.
 */
export function snippetsOf(origin: string, { id: formId, fields }: FormOut, label: string) {
  const prefill = fields.some(({ type }) => type === 'hidden') ? ['data-svc-prefill'] : [];
  const tag = (...attributes: string[]) =>
    `<script ${[`src="${origin}/embed.js"`, 'async', ...attributes, ...prefill].join(' ')}></script>`;
  const hosted = `${origin}/f/${formId}`;
  return {
    tag: tag(`data-svc-form-id="${formId}"`),
    button: `${tag()}\n<button type="button" data-svc-open="${formId}">${label}</button>`,
    link: `<a href="${hosted}" data-svc-open="${formId}">${label}</a>`,
    script: `SvcForms.open('${formId}');`,
    trigger: tag(`data-svc-form-id="${formId}" data-svc-trigger="scroll:50, exit"`),
    analytics: tag(`data-svc-form-id="${formId}" data-svc-analytics="acme"`),
    hosted,
    frame: `<iframe src="${hosted}" title="${label}" width="100%" height="600"></iframe>`,
    csp: [`script-src ${origin};`, `connect-src ${origin};`, `frame-src ${origin};`].join('\n'),
    debug: tag(`data-svc-form-id="${formId}" data-svc-debug`),
  };
}
