import { courseOf, createTest, pipe, say, type Language, type PublicForm } from '@svcforms/contracts';
import type { Control, Field } from '../ui/control.ts';
import { element } from '../ui/dom.ts';
import { isBlock, type Logic } from '../ui/parts.ts';
import { LOGIC_WORDS } from './logic-words.ts';

/** Creates the logic of a form, which decides by the rules of the server. ADR 0075 */
export function createLogic(
  { fields, jumps, endings = [], thankYou }: PublicForm,
  controls: readonly Control[],
  language: Language,
): Logic {
  const controlOf = new Map(controls.map((control) => [control.field, control]));
  const answerOf = (field: Field) => answerIn(controlOf.get(field) as Control);
  const course = () => courseOf(fields, jumps, answerOf);

  /**
   * The text of an answer: of options their labels, and dates as they are written in the language.
   */
  const createTextOf = () => {
    const { visible } = course();
    const textOf = (name: string): string | undefined => {
      const field = fields.find((other) => other.name === name);
      if (!field) return undefined;
      const answer = visible.has(field) ? answerOf(field) : '';
      if (field.options) {
        const labels = field.options
          .filter(({ value }) => [answer].flat().includes(value))
          // Labels are texts of the form too.
          .map(({ value, label = value }) => pipe(label, textOf));
        return new Intl.ListFormat(language).format(labels);
      }
      if (typeof answer !== 'string') return typeof answer === 'number' ? String(answer) : '';
      return /^(date|time)$/.test(field.type) ? say(language, '{v}', { v: answer }) : answer;
    };
    return textOf;
  };

  const templates = new WeakMap<Node, string>();
  /**
   * Replaces text in nodes and never parses it, so an answer can't become markup. A filled node
   * keeps its template, so an answer can't become a placeholder either.
   */
  const fill = (formNode: HTMLElement) => {
    const textOf = createTextOf();
    const walker = document.createTreeWalker(formNode, NodeFilter.SHOW_TEXT);
    const nodes: Node[] = [];
    while (walker.nextNode()) nodes.push(walker.currentNode);
    formNode
      .querySelectorAll('[placeholder],[alt]')
      .forEach(({ attributes }) =>
        nodes.push(...['placeholder', 'alt'].flatMap((name) => attributes.getNamedItem(name) ?? [])),
      );
    for (const node of nodes) {
      const template = templates.get(node) ?? node.nodeValue ?? '';
      // A consent shows exactly what it stores.
      if (!template.includes('{{') || node.parentElement?.closest('.consent')) continue;
      templates.set(node, template);
      const text = pipe(template, textOf);
      if (node.nodeValue !== text) node.nodeValue = text;
    }
  };

  const status = element('p', { className: 'away', role: 'status' });
  let last: readonly Control[] = [];
  const announce = (formNode: HTMLElement, shown: readonly Control[]) => {
    if (!status.isConnected) formNode.after(status);
    const isSameStep = last[0] && (last[0].field.step ?? 1) === (shown[0]?.field.step ?? 1);
    const texts = [
      shown.filter((control) => !last.includes(control)),
      last.filter((control) => !shown.includes(control)),
    ].flatMap((changed, index) => {
      const labels = changed.map(labelOf).filter(Boolean).join(', ');
      return labels ? `${LOGIC_WORDS[language][index]} ${labels}` : [];
    });
    if (!isSameStep) status.textContent = '';
    else if (texts.length) status.textContent = texts.join('. ');
    last = shown;
  };

  return {
    visible() {
      const { visible } = course();
      return controls.filter(({ field }) => visible.has(field));
    },
    stepsOf: () => course().steps,
    update(formNode, shown) {
      fill(formNode);
      announce(formNode, shown);
      const { activeElement: active } = formNode.getRootNode() as ShadowRoot;
      if (!active?.closest('[hidden]')) return;
      // The browser would move the focus to the page.
      const able = shown.filter(({ field }) => !isBlock(field));
      const isAfter = ({ node }: Control) =>
        active.compareDocumentPosition(node as Node) & Node.DOCUMENT_POSITION_FOLLOWING;
      (able.find(isAfter) ?? able[able.length - 1])?.focus();
    },
    get thankYou() {
      const textOf = createTextOf();
      const test = createTest(fields, course().visible, answerOf);
      const { title, message, redirectUrl } = endings.find(({ when }) => test(when)) ?? thankYou ?? {};
      return {
        ...(title !== undefined && { title: pipe(title, textOf) }),
        ...(message !== undefined && { message: pipe(message, textOf) }),
        ...(redirectUrl !== undefined && { redirectUrl }),
      };
    },
  };
}

/** The answer as the server stores it: `''` if there is none, undefined if it is invalid. */
function answerIn(control: Control): unknown {
  const { type } = control.field;
  const value = control.read();
  if (typeof value === 'boolean') return value;
  if (value === '' || value == null || (Array.isArray(value) && !value.length)) return '';
  if (control.problem()) return undefined;
  return /^(number|rating)$/.test(type) ? Number(value) : value;
}

/** The label as it is shown, without the mark of required fields. */
const labelOf = ({ node }: Control): string =>
  ((node?.querySelector('label,legend') ?? node)?.textContent ?? '').replace(/ \*$/, '');

export const styles = '';
