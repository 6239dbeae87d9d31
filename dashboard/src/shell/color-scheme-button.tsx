import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { shellTexts } from '../texts/shell.ts';

/** Toggles between light and dark. The default is the system's color scheme. */
export function ColorSchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const Icon = isDark ? IconSun : IconMoon;
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={isDark ? shellTexts.useLight : shellTexts.useDark}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
}
