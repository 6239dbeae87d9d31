/** `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, or `rgb()/rgba()/hsl()/hsla()` with plain numbers. */
export const COLOR =
  /^(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|(?:rgb|hsl)a?\([0-9.]{1,8}(?:deg|%)?(?:[ ,/]{1,3}[0-9.]{1,8}%?){2,3}\))$/i;

/** Red, green, blue and alpha, each from 0 to 1. */
export type Rgba = readonly [number, number, number, number];

/** The contrast ratio of a color over an opaque background. */
export function contrast(color: Rgba, background: Rgba): number {
  const [darker, lighter] = [luminance(over(color, background)), luminance(background)].sort(
    (one, other) => one - other,
  ) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance([red, green, blue]: Rgba): number {
  const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

export function over([red, green, blue, alpha]: Rgba, [r, g, b]: Rgba): Rgba {
  const mix = (front: number, back: number) => front * alpha + back * (1 - alpha);
  return [mix(red, r), mix(green, g), mix(blue, b), 1];
}

/** Reads a color in one of the notations that a theme allows. */
export function parseColor(color: string): Rgba {
  if (color.startsWith('#')) {
    const digits = color.slice(1);
    const size = digits.length < 6 ? 1 : 2;
    const part = (index: number) => digits.slice(index * size, (index + 1) * size).repeat(2 / size);
    const [red, green, blue, alpha] = [0, 1, 2, 3].map(
      (index) => Number.parseInt(part(index) || 'ff', 16) / 255,
    );
    return [red ?? 0, green ?? 0, blue ?? 0, alpha ?? 1];
  }
  const [first = '', second = '', third = '', fourth = '1'] = color.match(/[\d.]+(?:deg|%)?/gi) ?? [];
  const alpha = clamp(part(fourth, 1));
  if (/^rgb/i.test(color)) {
    return [clamp(part(first, 255)), clamp(part(second, 255)), clamp(part(third, 255)), alpha];
  }
  const [hue, saturation, lightness] = [
    Number.parseFloat(first),
    clamp(part(second, 100)),
    clamp(part(third, 100)),
  ];
  // The formula of CSS Color 4.
  const channel = (offset: number) => {
    const k = (offset + hue / 30) % 12;
    return (
      lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1))
    );
  };
  return [channel(0), channel(8), channel(4), alpha];
}

/** The share of a number of the whole, or of a percentage. */
function part(text: string, whole: number): number {
  return Number.parseFloat(text) / (text.endsWith('%') ? 100 : whole);
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share || 0));
}
