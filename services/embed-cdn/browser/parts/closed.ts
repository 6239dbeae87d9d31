import { CLOSED_TEXTS, type Language, type PublicForm } from '@svcforms/contracts';
import { element } from '../ui/dom.ts';

export const styles = '.closed p{white-space:pre-line}';

/** What a closed form shows in place of its fields. */
export function renderClosed({ closed, title, name }: PublicForm, language: Language) {
  const titleId = 'title';
  const heading = document.querySelector('h1') ? 'h2' : 'h1';
  const node = element(
    'div',
    { className: 'closed', tabIndex: -1 },
    element(heading, { id: titleId }, title ?? name),
    element('p', {}, closed?.message ?? CLOSED_TEXTS[language]),
  );
  return { node, titleId, focus: () => node.focus() };
}
