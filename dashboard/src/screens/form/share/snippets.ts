/**
 * The snippets for web pages. `origin` is the server's. Ids and origins need no escaping in HTML.
 */
export function snippetsOf(origin: string, formId: string, label: string) {
  const tag = (attributes: string) => `<script src="${origin}/embed.js" async ${attributes}></script>`;
  const hosted = `${origin}/f/${formId}`;
  return {
    tag: tag(`data-svc-form-id="${formId}"`),
    button: `${tag('')}\n<button type="button" data-svc-open="${formId}">${label}</button>`.replace(
      ' ></',
      '></',
    ),
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
