import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isApiError } from '../api/api-error.ts';
import { toastError } from '../components/toast.tsx';
import { sessionEnded } from './session-ended.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** `showsError`: the screen tells of a failure where it belongs; there is no toast. */
    mutationMeta: { showsError?: boolean };
  }
}

/** A failure that another try may mend: the network's, or the service's for the moment. */
const mayPass = (error: Error) => !isApiError(error) || error.status === 0 || error.status >= 500;

/**
 * What the screens know of the product. A login that ended is asked for again in place; a change that failed says so in a
 * toast, and what was typed stays.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError(error, query) {
        if (isApiError(error) && error.status === 401) sessionEnded.set(true);
        // Without data the screen itself has to say it.
        else if (query.state.data !== undefined) toastError(error);
      },
    }),
    mutationCache: new MutationCache({
      onError(error, _variables, _result, mutation) {
        if (isApiError(error) && error.status === 401 && error.code === 'UNAUTHORIZED') {
          if (!mutation.meta?.showsError) sessionEnded.set(true);
        } else if (!mutation.meta?.showsError) toastError(error);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => count < 2 && mayPass(error),
        // What a deployment or a lost network interrupts is asked again when the network is there.
        networkMode: 'online',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
