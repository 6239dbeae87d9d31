import { useBlocker } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useBeforeLogOut } from '../api/before-log-out.ts';

/**
 * Asks for confirmation before the user leaves the screen, closes the page or logs out while `when`
 * is true. While `isAsking`, the component must ask the question and pass its result to `answer`.
 * With `isDialog`, the back and forward buttons of the browser also ask on the same screen: they
 * can close a dialog that is in the URL.
 */
export function useLeaveQuestion(when: boolean, { isDialog = false } = {}) {
  const blocker = useBlocker({
    // Filters and open dialogs change the URL too, but not the screen.
    shouldBlockFn: ({ action, current, next }) =>
      when && (current.pathname !== next.pathname || (isDialog && action !== 'PUSH' && action !== 'REPLACE')),
    enableBeforeUnload: when,
    withResolver: true,
  });
  const [logOut, setLogOut] = useState<{ answer: (isLeaving: boolean) => void }>();
  useBeforeLogOut(() => !when || new Promise((answer) => setLogOut({ answer })));
  // If the screen unmounts unanswered, the logout would wait forever.
  useEffect(() => () => logOut?.answer(false), [logOut]);
  return {
    isAsking: logOut !== undefined || blocker.status === 'blocked',
    answer: (isLeaving: boolean) => {
      logOut?.answer(isLeaving);
      setLogOut(undefined);
      if (isLeaving) blocker.proceed?.();
      else blocker.reset?.();
    },
  };
}
