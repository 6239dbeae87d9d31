import { Modal, type ModalProps } from '@mantine/core';
import { useState } from 'react';
import { unsavedTexts } from '../texts/unsaved.ts';
import { UnsavedQuestion } from './unsaved-question.tsx';
import { useReturnedFocus } from './use-returned-focus.ts';

const texts = unsavedTexts.dialog;

/**
 * A dialog that is open as long as it exists. At its end, the focus returns to what had it before:
 * the library returns it only from dialogs that stay mounted. With `hasChanges`, Escape and the close
 * button ask first, because what was entered would be lost.
 */
export function OpenedModal({
  hasChanges = false,
  closeOnEscape = true,
  onClose,
  ...props
}: Omit<ModalProps, 'opened'> & { hasChanges?: boolean }) {
  useReturnedFocus();
  const [isAsking, setAsking] = useState(false);
  const stay = () => setAsking(false);
  return (
    <>
      <Modal
        opened
        {...props}
        // Escape closes only the question.
        closeOnEscape={closeOnEscape && !isAsking}
        onClose={() => (hasChanges ? setAsking(true) : onClose())}
      />
      {isAsking && (
        <OpenedModal onClose={stay} title={texts.title}>
          <UnsavedQuestion texts={texts} onLeave={onClose} onStay={stay} />
        </OpenedModal>
      )}
    </>
  );
}
