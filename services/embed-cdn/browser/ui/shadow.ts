import { createSheet } from './dom.ts';
import { parts } from './parts.ts';
import { STYLES } from './styles.ts';

/**
 * Creates a host whose shadow root is isolated from the page's styles. Needs no inline style or
 * nonce.
 */
export function createHost(className: string): { host: HTMLElement; shadow: ShadowRoot } {
  const host = document.createElement('svc-form');
  host.className = className;
  const shadow = host.attachShadow({ mode: 'open' });
  const styles = Object.values(parts).map((part) => part.styles);
  shadow.adoptedStyleSheets = [createSheet(STYLES + styles.join(''))];
  // Keystrokes must not reach the page's shortcuts, which see a host that isn't a text field.
  host.onkeydown = host.onkeypress = host.onkeyup = (event) => event.stopPropagation();
  return { host, shadow };
}
