import { MutationCache, onlineManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { isApiError, isMissing, isTransient } from '../api/api-error.ts';
import { sessionEnded } from '../api/session-ended.ts';
import { hideErrors, toastConnection, toastError } from '../components/toast.tsx';

declare module '@tanstack/react-query' {
  interface Register {
    /**
     * `showsError`: the component shows the error itself, without a toast. `nameOf`: what users
     * call the value at a path, for the toast.
     */
    mutationMeta: { showsError?: boolean; nameOf?: (parts: readonly string[]) => string };
    /** `showsMissing`: the component says that the object was deleted since, without a toast. */
    queryMeta: { showsMissing?: boolean };
  }
}

/**
 * The cache of all requests. An ended session opens the login dialog in place. A failed mutation
 * shows a toast and keeps the user's input.
 */
export function createQueryClient(): QueryClient {
  onlineManager.subscribe(toastConnection);
  return new QueryClient({
    queryCache: new QueryCache({
      onError(error, query) {
        if (isApiError(error) && error.status === 401) sessionEnded.start();
        else if (isMissing(error) && query.meta?.showsMissing) return;
        // Without data, the screen shows the error.
        else if (query.state.data !== undefined) toastError(error);
      },
    }),
    mutationCache: new MutationCache({
      // What the user did has worked, so the error of the attempt before is over.
      onSuccess: hideErrors,
      onError(error, _variables, _result, mutation) {
        if (isApiError(error) && error.status === 401 && error.code === 'UNAUTHORIZED') {
          if (!mutation.meta?.showsError) sessionEnded.start();
        } else if (!mutation.meta?.showsError) toastError(error, mutation.meta?.nameOf);
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
