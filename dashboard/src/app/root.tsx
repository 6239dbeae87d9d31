import { ModalsProvider } from '@mantine/modals';
import { Outlet } from '@tanstack/react-router';
import { shellTexts } from '../texts/shell.ts';

export function Root() {
  return (
    <ModalsProvider labels={{ confirm: shellTexts.confirm, cancel: shellTexts.cancel }}>
      <Outlet />
    </ModalsProvider>
  );
}
