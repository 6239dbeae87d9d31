import type { Issue } from '../errors/errors.ts';
import { COLOR, contrast, over, parseColor, type Rgba } from './color.ts';
import type { Theme } from './theme.ts';

/** A pair of colors of a theme with too little contrast. */
export interface ContrastProblem {
  /** The property to change. */
  property: 'text' | 'accent';
  /**
   * What the color is compared with: the theme's background, or the default background of forms.
   */
  against: 'background' | 'default';
  /** Contrast ratio, rounded down to hundredths, so that it never looks sufficient. */
  ratio: number;
  /** The minimum ratio of WCAG 2 AA. */
  required: 4.5 | 3;
}

const WHITE: Rgba = [1, 1, 1, 1];
/** Browsers paint `Canvas` in this color in a dark color scheme. */
const DARK: Rgba = [18 / 255, 18 / 255, 18 / 255, 1];

/** WCAG 2 AA: 1.4.3 for text, 1.4.11 for controls. */
const TEXT_RATIO = 4.5;
const CONTROL_RATIO = 3;

/**
 * Lists the pairs of colors that fail WCAG 2 AA: the text, and the accent, which marks focus and
 * selected options. The label on the accent is black or white, whichever is legible, so it never
 * fails. Skips what isn't a complete color.
 * docs/reference/themes.md#contrast
 */
export function themeContrast({ colorScheme, ...theme }: Theme): ContrastProblem[] {
  const [accent, background, text] = [theme.accent, theme.background, theme.text].map((color) =>
    color !== undefined && COLOR.test(color) ? color : undefined,
  );
  const problems: ContrastProblem[] = [];
  const add = (
    property: ContrastProblem['property'],
    against: ContrastProblem['against'],
    ratio: number,
    required: 4.5 | 3,
  ) => {
    if (ratio < required)
      problems.push({ property, against, ratio: Math.floor(ratio * 100) / 100, required });
  };
  const canvases = colorScheme === 'light' ? [WHITE] : colorScheme === 'dark' ? [DARK] : [WHITE, DARK];
  if (background !== undefined) {
    // A translucent background shows the page behind it, which is the canvas at best.
    const worst = (color: string) =>
      Math.min(
        ...canvases.map((canvas) => contrast(parseColor(color), over(parseColor(background), canvas))),
      );
    if (text !== undefined) add('text', 'background', worst(text), TEXT_RATIO);
    if (accent !== undefined) add('accent', 'background', worst(accent), CONTROL_RATIO);
  } else if (text !== undefined) {
    // A light text makes the form dark, so only a text that suits neither fails.
    add(
      'text',
      'default',
      Math.max(...canvases.map((canvas) => contrast(parseColor(text), canvas))),
      TEXT_RATIO,
    );
  }
  return problems;
}

/**
 * Lists why a save that replaces `saved` is refused: a changed theme must be legible. A theme that
 * was saved before is accepted unchanged. docs/reference/themes.md#contrast
 */
export function themeIssues(theme: Theme = {}, saved: Theme = {}): Issue[] {
  if (isSameTheme(theme, saved)) return [];
  return themeContrast(theme).map(({ property, against, ratio, required }) => ({
    pointer: `/settings/theme/${property}`,
    message: `has a contrast of ${ratio}:1 to the ${against === 'default' ? 'default background' : 'background'}; at least ${required}:1 is needed (WCAG 2 AA)`,
  }));
}

/** Whether two themes have the same properties, in any order. */
function isSameTheme(one: Theme, other: Theme): boolean {
  const text = (theme: Theme) =>
    JSON.stringify(Object.entries(theme).sort(([key], [otherKey]) => (key < otherKey ? -1 : 1)));
  return text(one) === text(other);
}
