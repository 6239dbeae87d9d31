import { Group, Stack, Title } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { shellTexts } from '../texts/shell.ts';

/**
 * A screen with its heading, which gets the focus after navigation, so that screen readers announce
 * the new screen. `of` is the parent's name. It is in the document's title, and makes the heading a
 * second-level one. `count` is in front of the document's title, which names the screen by
 * `documentTitle` if the heading isn't for the history of the browser. `headingRef` is for screens
 * that replace what has the focus, `headerClassName` for the row of the heading and the actions.
 */
export function Page({
  title,
  of,
  documentTitle = title,
  count = '',
  actions,
  headingRef,
  headerClassName,
  children,
}: {
  title: string;
  of?: string;
  documentTitle?: string | undefined;
  count?: string | undefined;
  actions?: ReactNode;
  headingRef?: RefObject<HTMLHeadingElement | null>;
  headerClassName?: string;
  children?: ReactNode;
}) {
  const own = useRef<HTMLHeadingElement>(null);
  const heading = headingRef ?? own;
  const isFirst = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation === undefined });
  const wasFirst = useRef(isFirst);
  useEffect(() => {
    const names = [documentTitle, of, shellTexts.product].filter(Boolean).join(' · ');
    document.title = count === '' ? names : `(${count}) ${names}`;
  }, [documentTitle, of, count]);
  useEffect(() => {
    // Somebody may have opened a dialog while the screen was loading.
    const isInDialog = document.activeElement?.closest('[role="dialog"]');
    if (!wasFirst.current && !isInDialog) heading.current?.focus();
  }, [heading]);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="center" className={headerClassName}>
        <Title
          order={of === undefined ? 1 : 2}
          size={of === undefined ? 'h2' : 'h3'}
          ref={heading}
          tabIndex={-1}
        >
          {title}
        </Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
