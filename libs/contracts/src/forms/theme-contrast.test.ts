import { READY_THEMES } from './ready-themes.ts';
import { themeContrast, themeIssues } from './theme-contrast.ts';
import { Theme } from './theme.ts';

describe('themeContrast', () => {
  it.each([
    [{ text: '#777777', background: '#ffffff' }, 4.47],
    [{ text: '#777', background: '#fff' }, 4.47],
    [{ text: 'rgb(119, 119, 119)', background: 'hsl(0 0% 100%)' }, 4.47],
    [{ text: 'hsl(240deg 100% 50%)', background: '#000' }, 2.44],
    [{ text: 'rgb(0 0 0 / 50%)', background: '#fff' }, 3.97],
    [{ text: '#000000', background: '#00000080' }, 1.05],
  ])('finds text that is hard to read: %j', (theme, ratio) => {
    const [problem] = themeContrast(theme);
    expect(problem).toMatchObject({ property: 'text', against: 'background', required: 4.5 });
    expect(problem?.ratio).toBeCloseTo(ratio, 1);
  });

  it.each([
    { text: '#767676', background: '#ffffff' },
    { text: 'hsl(120, 100%, 25%)', background: '#fff' },
    { text: '#fff' },
    { text: '#000' },
    { background: '#808080' },
    { accent: '#ffee00' },
    { text: '#88', background: '#fff' },
    { text: 'red', background: '#f00' },
    { accent: '#949494', background: '#ffffff' },
    {},
  ])('accepts %j', (theme) => {
    expect(themeContrast(theme)).toEqual([]);
  });

  it('compares the accent with the background by the ratio for controls', () => {
    expect(themeContrast({ accent: '#959595', background: '#fff' })).toEqual([
      { property: 'accent', against: 'background', ratio: 2.99, required: 3 },
    ]);
  });

  it('compares text without a background with the default background of the color scheme', () => {
    const problem = { property: 'text', against: 'default', required: 4.5 };
    expect(themeContrast({ text: '#fff', colorScheme: 'light' })).toMatchObject([problem]);
    expect(themeContrast({ text: '#000', colorScheme: 'dark' })).toMatchObject([problem]);
    expect(themeContrast({ text: '#fff', colorScheme: 'dark' })).toEqual([]);
  });

  it('has no complaint about the ready themes, which are valid', () => {
    expect(READY_THEMES).toHaveLength(6);
    for (const { theme } of READY_THEMES) {
      expect(Theme.parse(theme)).toEqual(theme);
      expect(themeContrast(theme)).toEqual([]);
    }
  });
});

describe('themeIssues', () => {
  it('names the color, the ratio and the minimum', () => {
    expect(themeIssues({ text: '#888', background: '#fff' })).toEqual([
      {
        pointer: '/settings/theme/text',
        message: 'has a contrast of 3.54:1 to the background; at least 4.5:1 is needed (WCAG 2 AA)',
      },
    ]);
    expect(themeIssues()).toEqual([]);
  });

  it('accepts the saved theme, whatever the order of its properties', () => {
    const [text, background] = ['#888', '#fff'];
    expect(themeIssues({ text, background }, { background, text })).toEqual([]);
    expect(themeIssues({}, undefined)).toEqual([]);
    expect(themeIssues({ text, background, radius: 1 }, { background, text })).toHaveLength(1);
  });
});
