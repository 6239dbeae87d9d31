import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isApiError } from '../api/api-error.ts';
import { sessionEnded } from '../api/session-ended.ts';
import { toastError } from '../components/toast.tsx';

declare module '@tanstack/react-query' {
  interface Register {
    /** `showsError`: the component shows the error itself, without a toast. */
    mutationMeta: { showsError?: boolean };
  }
}

/** Whether a retry may help: a network error, or an unavailable server. */
const isTransient = (error: Error) => !isApiError(error) || error.status === 0 || error.status >= 500;

/**
 * The cache of all requests. An ended session opens the login dialog in place. A failed mutation
 * shows a toast and keeps the user's input.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError(error, query) {
        if (isApiError(error) && error.status === 401) sessionEnded.start();
        // Without data, the screen shows the error.
        else if (query.state.data !== undefined) toastError(error);
      },
    }),
    mutationCache: new MutationCache({
      onError(error, _variables, _result, mutation) {
        if (isApiError(error) && error.status === 401 && error.code === 'UNAUTHORIZED') {
          if (!mutation.meta?.showsError) sessionEnded.start();
        } else if (!mutation.meta?.showsError) toastError(error);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => count < 2 && isTransient(error),
        // Retries pause while the browser is offline.
        networkMode: 'online',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
