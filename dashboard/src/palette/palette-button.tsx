import { ActionIcon, Button } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { shellTexts } from '../texts/shell.ts';

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}));

/** Opens the command palette, as Ctrl+K or ⌘K does everywhere, even in inputs. */
export function PaletteButton() {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<Element>(null);
  // What is typed while the dialog loads. Each key renders again, so that the dialog begins with
  // all of it.
  const [typed, setTyped] = useState('');
  // Written out, because the hook for keys of @mantine/hooks doesn't fit into the first load.
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const isModified = (isMac ? event.metaKey : event.ctrlKey) && !event.shiftKey && !event.altKey;
      if (!isModified || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      if (isOpen) dismiss();
      else open();
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  });
  function open(): void {
    opener.current = document.activeElement;
    setTyped('');
    setOpen(true);
  }
  const close = () => setOpen(false);
  // A command has its own place for the focus.
  function dismiss(): void {
    close();
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
  }
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
        <Suspense
          fallback={
            <div role="dialog" aria-label={shellTexts.search} className="visually-hidden">
              <input
                autoFocus
                aria-label={shellTexts.search}
                // A dialog below must not get Escape.
                data-mantine-stop-propagation
                value={typed}
                onChange={({ currentTarget }) => setTyped(currentTarget.value)}
                onKeyDown={({ key, nativeEvent }) =>
                  key === 'Escape' && !nativeEvent.isComposing && dismiss()
                }
              />
            </div>
          }
        >
          <CommandPalette typed={typed} onRun={close} onDismiss={dismiss} />
        </Suspense>
      )}
    </>
  );
}
