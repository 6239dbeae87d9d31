import { parts } from './parts.ts';
import { STYLES } from './styles.ts';

const sheets: Record<string, CSSStyleSheet> = {};

/**
 * Creates a host whose shadow root is isolated from the page's styles. Needs no inline style or
 * nonce.
 */
export function createHost(className: string): { host: HTMLElement; shadow: ShadowRoot } {
  const host = document.createElement('svc-form');
  host.className = className;
  const shadow = host.attachShadow({ mode: 'open' });
  shadow.adoptedStyleSheets = [STYLES, ...Object.values(parts).map(({ styles }) => styles)].map((styles) => {
    if (!sheets[styles]) (sheets[styles] = new CSSStyleSheet()).replaceSync(styles);
    return sheets[styles] as CSSStyleSheet;
  });
  // Keystrokes must not reach the page's shortcuts, which see a host that isn't a text field.
  for (const type of ['keydown', 'keypress', 'keyup'])
    host.addEventListener(type, (event) => event.stopPropagation());
  return { host, shadow };
}
