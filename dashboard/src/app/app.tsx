import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { nonce } from '../shell/nonce.ts';
import { createQueryClient } from './query-client.ts';
import { createAppRouter } from './router.ts';
import { accessibleColors, theme } from './theme.ts';

const queryClient = createQueryClient();
const router = createAppRouter(queryClient);

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={accessibleColors}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Notifications position="bottom-right" autoClose={8000} />
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
