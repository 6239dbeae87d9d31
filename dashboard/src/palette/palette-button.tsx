import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useDisclosure, useFocusReturn, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { shellTexts } from '../texts/shell.ts';

const texts = shellTexts.palette;
const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}));

/** Opens the command palette, as Ctrl+K or ⌘K does everywhere, also in inputs. */
export function PaletteButton() {
  const [isOpen, { open, close, toggle }] = useDisclosure();
  useHotkeys([['mod+K', toggle]], []);
  // A command has its own place for the focus.
  const returnFocus = useFocusReturn({ opened: isOpen, shouldReturnFocus: false });
  return (
    <>
      <Button
        visibleFrom="sm"
        variant="default"
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          <Kbd size="xs" aria-hidden>
            {isMac ? '⌘K' : 'Ctrl K'}
          </Kbd>
        }
        onClick={open}
      >
        {texts.open}
      </Button>
      <ActionIcon hiddenFrom="sm" variant="default" size="lg" aria-label={texts.open} onClick={open}>
        <IconSearch size={18} aria-hidden />
      </ActionIcon>
      {isOpen && (
        <Suspense fallback={null}>
          <CommandPalette
            onRun={close}
            onDismiss={() => {
              close();
              returnFocus();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
