import { Group, Stack, Title } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { shellTexts } from '../texts/shell.ts';

/**
 * A screen with its heading, which gets the focus after navigation, so that screen readers announce
 * the new screen. `of` is the parent's name. It is in the document's title, and makes the heading a
 * second-level one.
 */
export function Page({
  title,
  of,
  actions,
  children,
}: {
  title: string;
  of?: string;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation === undefined });
  const wasFirst = useRef(isFirst);
  useEffect(() => {
    document.title = [title, of, shellTexts.product].filter(Boolean).join(' · ');
  }, [title, of]);
  useEffect(() => {
    if (!wasFirst.current) heading.current?.focus();
  }, []);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="center">
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
