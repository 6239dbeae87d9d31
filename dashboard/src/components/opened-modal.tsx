import { Modal, type ModalProps } from '@mantine/core';
import { useState } from 'react';
import { unsavedTexts } from '../texts/unsaved.ts';
import { UnsavedQuestion } from './unsaved-question.tsx';
import { useLeaveQuestion } from './use-leave-question.ts';
import { useReturnedFocus } from './use-returned-focus.ts';

/**
 * A dialog that is open as long as it exists. At its end, the focus returns to what had it before:
 * the library returns it only from dialogs that stay mounted. With `hasChanges`, Escape, the close
 * button and leaving the page ask first, because what the dialog has would be lost. `question` has
 * the words if that isn't what the user entered.
 */
export function OpenedModal({
  hasChanges = false,
  question = unsavedTexts.dialog,
  closeOnEscape = true,
  onClose,
  ...props
}: Omit<ModalProps, 'opened'> & {
  hasChanges?: boolean;
  question?: { title: string; text: string; stay: string; leave: string };
}) {
  useReturnedFocus();
  const [isClosing, setClosing] = useState(false);
  const leaving = useLeaveQuestion(hasChanges, { isDialog: true });
  const isAsking = isClosing || leaving.isAsking;
  const stay = () => {
    setClosing(false);
    leaving.answer(false);
  };
  return (
    <>
      <Modal
        opened
        {...props}
        // Escape closes only the question.
        closeOnEscape={closeOnEscape && !isAsking}
        onClose={() => (hasChanges ? setClosing(true) : onClose())}
      />
      {isAsking && (
        <OpenedModal onClose={stay} title={question.title}>
          <UnsavedQuestion
            texts={question}
            onLeave={() => (leaving.isAsking ? leaving.answer(true) : onClose())}
            onStay={stay}
          />
        </OpenedModal>
      )}
    </>
  );
}
