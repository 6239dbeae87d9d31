import {
  Alert,
  Anchor,
  createTheme,
  InputWrapper,
  Modal,
  Notification,
  Text,
  type CSSVariablesResolver,
} from '@mantine/core';
import { shellTexts } from '../texts/shell.ts';

export const theme = createTheme({
  primaryColor: 'indigo',
  // Dark enough for white text: a contrast ratio of at least 4.5.
  primaryShade: { light: 8, dark: 8 },
  cursorType: 'pointer',
  defaultRadius: 'md',
  respectReducedMotion: true,
  components: {
    // Its color lacks contrast as text; the border and the icon show it.
    Alert: Alert.extend({ styles: { label: { color: 'var(--mantine-color-text)' } } }),
    // The text size of inputs and tables.
    Text: Text.extend({ defaultProps: { size: 'sm' } }),
    Anchor: Anchor.extend({ defaultProps: { size: 'sm' } }),
    // A hint above an input would move it down beside an input without one.
    InputWrapper: InputWrapper.extend({
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    }),
    Modal: Modal.extend({
      defaultProps: {
        closeButtonProps: { 'aria-label': shellTexts.close },
        // A dialog isn't a page, so its header must not be a banner landmark.
        attributes: { header: { role: 'presentation' } },
      },
      // Long names take several lines.
      styles: { title: { lineHeight: 'var(--mantine-line-height)' } },
    }),
    Notification: Notification.extend({ styles: { description: { color: 'var(--mantine-color-text)' } } }),
  },
});

/** The library's dimmed and error colors lack contrast for small text (WCAG 1.4.3). */
export const accessibleColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-8)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-3)',
  },
});
