import { Modal } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useBeforeLogOut } from '../api/before-log-out.ts';
import { unsavedTexts } from '../texts/unsaved.ts';
import { UnsavedQuestion } from './unsaved-question.tsx';

const texts = unsavedTexts;

/**
 * Asks for confirmation before the user leaves the screen, closes the page or logs out while `when`
 * is true.
 */
export function UnsavedWarning({ when }: { when: boolean }) {
  const blocker = useBlocker({
    // Filters and open dialogs change the URL too, but not the screen.
    shouldBlockFn: ({ current, next }) => when && current.pathname !== next.pathname,
    enableBeforeUnload: when,
    withResolver: true,
  });
  const [logOut, setLogOut] = useState<{ answer: (isLeaving: boolean) => void }>();
  useBeforeLogOut(() => !when || new Promise((answer) => setLogOut({ answer })));
  // Without an answer, the log out would wait forever for a screen that is gone.
  useEffect(() => () => logOut?.answer(false), [logOut]);
  const choose = (isLeaving: boolean) => {
    logOut?.answer(isLeaving);
    setLogOut(undefined);
    if (isLeaving) blocker.proceed?.();
    else blocker.reset?.();
  };
  const stay = () => choose(false);
  return (
    <Modal opened={logOut !== undefined || blocker.status === 'blocked'} onClose={stay} title={texts.title}>
      <UnsavedQuestion texts={texts} onLeave={() => choose(true)} onStay={stay} />
    </Modal>
  );
}
