import { Button, type ButtonProps } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { shellTexts } from '../texts/shell.ts';

const SAID_FOR_MS = 2000;

/** `what` names the thing for those who hear the button alone. */
export function CopyButton({ text, what, ...props }: { text: string; what: string } & ButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={isCopied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
      aria-label={`${isCopied ? shellTexts.copied : shellTexts.copy}: ${what}`}
      onClick={() => void copy(text).then(setCopied)}
      {...props}
    >
      {isCopied ? shellTexts.copied : shellTexts.copy}
    </Button>
  );
}

/** False where the browser doesn't let us. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** The way of pages that came by http from elsewhere than this machine: they have no clipboard. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  // In a dialog that keeps the focus inside, only what is in the dialog can be selected.
  (document.activeElement?.parentElement ?? document.body).append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  return isDone;
}
