import { STYLES } from './styles.ts';

let sheet: CSSStyleSheet | undefined;

/** A host whose shadow root neither takes in the page's styles nor lets out its own. Needs no inline style or nonce. */
export function createHost(className: string): { host: HTMLElement; shadow: ShadowRoot } {
  const host = document.createElement('svc-form');
  host.className = className;
  const shadow = host.attachShadow({ mode: 'open' });
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
  }
  shadow.adoptedStyleSheets = [sheet];
  // Typing here must not reach the page's shortcuts, which would see a host that is no text field.
  for (const type of ['keydown', 'keypress', 'keyup'])
    host.addEventListener(type, (event) => event.stopPropagation());
  return { host, shadow };
}
