import { STYLES } from './styles.ts';

let sheet: CSSStyleSheet | undefined;

/**
 * Creates a host whose shadow root is isolated from the page's styles. Needs no inline style or
 * nonce.
 */
export function createHost(className: string): { host: HTMLElement; shadow: ShadowRoot } {
  const host = document.createElement('svc-form');
  host.className = className;
  const shadow = host.attachShadow({ mode: 'open' });
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
  }
  shadow.adoptedStyleSheets = [sheet];
  // Keystrokes must not reach the page's shortcuts, which see a host that isn't a text field.
  for (const type of ['keydown', 'keypress', 'keyup'])
    host.addEventListener(type, (event) => event.stopPropagation());
  return { host, shadow };
}
