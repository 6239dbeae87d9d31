import type { PublicForm } from '@svcforms/contracts';

/**
 * Black is more legible above this luminance, white below it (WCAG 2; both reach 4.6:1 at the
 * boundary).
 */
const READABLE_BORDER = 0.179;

/**
 * Properties with their minimum contrast to the background and their colors, preferred one first.
 */
const LEGIBLE = [
  ['mark', 3, 'var(---a)', 'color-mix(in srgb,var(---a),var(---t))', 'var(---t)'],
  ['e', 4.5, 'color-mix(in srgb,#d92d20 78%,var(---t))', 'var(---t)'],
  ['m', 4.5, 'color-mix(in srgb,var(---t) 72%,var(---b))', 'var(---t)'],
] as const;

const SPACES: Record<string, string> = { compact: '.75em', spacious: '1.3em' };

/**
 * Applies the theme to the root, which must be in the document. Colors that the background makes
 * illegible are replaced by that of the text. `around` is what the form stands in, by default the
 * page; the form follows its color scheme unless the theme names one. `usualFont` is for scripts
 * that the default fonts lack.
 * docs/reference/themes.md
 */
export function applyTheme(
  root: HTMLElement,
  { theme = {} }: PublicForm,
  around: Element | null,
  usualFont?: string,
): void {
  const { colorScheme = 'page', background, text, density = '', font } = theme;
  const { style } = root;
  around ??= document.body;
  const set = (name: string, value: string | number | undefined) =>
    value !== undefined && style.setProperty(`---${name}`, typeof value === 'number' ? `${value}px` : value);
  // Those that no style reads have no effect.
  Object.entries(theme).forEach(([name, value]) => set(name, value));
  set('space', SPACES[density]);
  set('font', font === 'inherit' ? getComputedStyle(around).fontFamily : (font ?? usualFont));

  /** Returns luminance and alpha of any color, even of one that depends on properties. */
  const read = (color: string): [luminance: number, alpha: number] => {
    style.color = color;
    // The browser converts every notation to shares of red, green and blue.
    style.color = `color-mix(in srgb,${color},${color})`;
    const computed = getComputedStyle(root).color;
    style.color = '';
    const [r = 0, g = 0, b = 0, alpha = 1] = (computed.match(/[\d.e-]+/g) ?? []).map(Number);
    const linear = (part: number) => {
      // Older browsers can't mix and return whole numbers.
      const share = computed[0] === 'r' ? part / 255 : part;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    };
    return [0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b), alpha];
  };
  const isDark = (color: string) => read(color)[0] < READABLE_BORDER;
  const isSolid = (color: string) => read(color)[1] > 0.5;
  // What is behind a translucent background decides instead, as without one.
  const solid = background && isSolid(background) && background;
  const isPageDark = (): boolean => {
    for (let at: Element | null = around; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (isSolid(backgroundColor)) return isDark(backgroundColor);
    }
    // The text shows what a picture or the browser paints behind it.
    return !isDark(getComputedStyle(around).color);
  };

  const update = () => {
    style.colorScheme =
      solid || text || colorScheme === 'page'
        ? (solid ? isDark(solid) : text ? !isDark(text) : isPageDark())
          ? 'dark'
          : 'light'
        : colorScheme.replace('system', 'light dark');
    if (solid) set('text', text ?? (isDark(solid) ? '#fff' : '#000'));
    set('on-accent', isDark('var(---a)') ? '#fff' : '#000');
    for (const [name, ratio, ...colors] of LEGIBLE) {
      for (const color of colors) {
        set(name, color);
        const contrast = (read(`var(---${name})`)[0] + 0.05) / (read('var(---b)')[0] + 0.05);
        if (Math.max(contrast, 1 / contrast) >= ratio) break;
      }
    }
  };
  update();
  // The host inherits the text color, which changes when the page changes its color scheme.
  (root.getRootNode() as ShadowRoot).host.addEventListener('transitionend', update);
}
