type Child = Node | string | false | undefined;

/**
 * Creates an element with properties and children. Never parses markup, so that no content security
 * policy blocks it.
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> & { aria?: Record<string, string> } = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const { aria = {}, ...own } = properties;
  const made = Object.assign(document.createElement(name), own);
  Object.entries(aria).forEach(([key, value]) => made.setAttribute(`aria-${key}`, value));
  made.append(...children.filter((child): child is Node | string => !!child));
  return made;
}

/** Creates a style sheet that can be adopted, which no content security policy blocks. */
export function createSheet(styles: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  return sheet;
}
