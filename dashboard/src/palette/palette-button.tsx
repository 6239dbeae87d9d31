import { ActionIcon, Button } from '@mantine/core';
import { useDisclosure, useFocusReturn } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect } from 'react';
import { shellTexts } from '../texts/shell.ts';

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}));

/** Opens the command palette, as Ctrl+K or ⌘K does everywhere, also in inputs. */
export function PaletteButton() {
  const [isOpen, { open, close, toggle }] = useDisclosure();
  // A command has its own place for the focus.
  const returnFocus = useFocusReturn({ opened: isOpen, shouldReturnFocus: false });
  // Written out, because the hook for keys of @mantine/hooks doesn't fit into the first load.
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const isModified = (isMac ? event.metaKey : event.ctrlKey) && !event.shiftKey && !event.altKey;
      if (!isModified || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      toggle();
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [toggle]);
  return (
    <>
      <Button
        visibleFrom="sm"
        variant="default"
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={<kbd aria-hidden>{isMac ? '⌘K' : 'Ctrl K'}</kbd>}
        onClick={open}
      >
        {shellTexts.search}
      </Button>
      <ActionIcon hiddenFrom="sm" variant="default" size="lg" aria-label={shellTexts.search} onClick={open}>
        <IconSearch size={18} aria-hidden />
      </ActionIcon>
      {isOpen && (
        // Shortcuts of the screen below ignore what is typed while the dialog loads.
        <Suspense fallback={<div role="dialog" aria-label={shellTexts.search} />}>
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
