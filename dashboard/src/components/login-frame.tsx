import { Container, Group, Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import { Logo } from './logo.tsx';
import { Page } from './page.tsx';

/** The frame of the screens without the shell. */
export function LoginFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Container component="main" size={420} py="xl">
      <Group justify="center" mb="lg">
        <Logo />
      </Group>
      <Paper withBorder p="lg">
        <Page title={title}>{children}</Page>
      </Paper>
    </Container>
  );
}
