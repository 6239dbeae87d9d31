import { Button, type ButtonProps } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { shellTexts } from '../texts/shell.ts';

const CONFIRMATION_MS = 2000;

/**
 * `what` names the copied text for screen readers. The label and its confirmation have the same
 * space, so that the button stays under the pointer.
 */
export function CopyButton({
  text,
  what,
  label = shellTexts.copy,
  ...props
}: { text: string; what: string; label?: string } & ButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={isCopied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
      aria-label={`${isCopied ? shellTexts.copied : label}: ${what}`}
      onClick={() => void copy(text).then(setCopied)}
      {...props}
    >
      <span style={{ display: 'inline-grid', textAlign: 'start' }}>
        {[label, shellTexts.copied].map((word, index) => (
          <span
            key={word}
            style={{ gridArea: '1 / 1', visibility: isCopied === (index === 1) ? undefined : 'hidden' }}
          >
            {word}
          </span>
        ))}
      </span>
    </Button>
  );
}

/** Returns whether the browser allowed it. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** The fallback for pages without the clipboard API, which needs https or localhost. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  // A dialog with a focus trap only allows selections inside it.
  (document.activeElement?.parentElement ?? document.body).append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  return isDone;
}
