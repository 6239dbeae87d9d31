import type { Theme } from './theme.ts';

/** A designed theme to start from. */
export interface ReadyTheme {
  name: string;
  theme: Theme;
}

/** docs/reference/themes.md#ready-themes */
export const READY_THEMES: readonly ReadyTheme[] = [
  { name: 'Clean', theme: { accent: '#4f46e5', radius: 10 } },
  {
    name: 'Midnight',
    theme: {
      colorScheme: 'dark',
      accent: '#8b9dff',
      background: '#14162b',
      text: '#e8eaf6',
      radius: 14,
    },
  },
  {
    name: 'Paper',
    theme: {
      colorScheme: 'light',
      accent: '#8a3b12',
      background: '#fbf7ef',
      text: '#2b2118',
      radius: 4,
      font: 'Charter, Georgia, serif',
    },
  },
  {
    name: 'Forest',
    theme: {
      colorScheme: 'light',
      accent: '#0f766e',
      background: '#f3f8f5',
      text: '#12302a',
      radius: 16,
      density: 'spacious',
    },
  },
  {
    name: 'Berry',
    theme: {
      accent: '#be185d',
      radius: 22,
      font: 'ui-rounded, Nunito, Quicksand, system-ui, sans-serif',
    },
  },
  {
    name: 'Mono',
    theme: {
      accent: '#52525b',
      radius: 0,
      font: 'ui-monospace, Menlo, Consolas, monospace',
      density: 'compact',
    },
  },
];
