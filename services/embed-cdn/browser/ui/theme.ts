import type { PublicForm } from '@svcforms/contracts';

/**
 * Returns black or white, whichever contrasts more with the color (WCAG 2; both reach 4.6:1 at the
 * boundary).
 */
const READABLE_BORDER = 0.179;

/**
 * Applies the theme to the root, including legible text colors and the matching color scheme of
 * controls.
 */
export function applyTheme(root: HTMLElement, theme: PublicForm['theme'] = {}): void {
  const { accent, background, text, radius, font } = theme;
  const set = (name: string, value: string | undefined) =>
    value && root.style.setProperty(`--${name}`, value);
  set('accent', accent);
  set('background', background);
  set('text', text ?? (background && (isDark(background) ? '#fff' : '#000')));
  set('radius', radius === undefined ? undefined : `${radius}px`);
  set('font', font);
  set('on-accent', accent && (isDark(accent) ? '#fff' : '#000'));
  const isDarkScheme = background ? isDark(background) : text && !isDark(text);
  set('scheme', isDarkScheme === undefined ? undefined : isDarkScheme ? 'dark' : 'light');
}

function isDark(colour: string): boolean {
  const probe = new Option().style;
  probe.color = colour;
  const [r = 0, g = 0, b = 0] = (probe.color.match(/[\d.]+/g) ?? []).map((part) => {
    const share = +part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b < READABLE_BORDER;
}
