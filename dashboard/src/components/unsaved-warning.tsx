import { Modal } from '@mantine/core';
import { unsavedTexts } from '../texts/unsaved.ts';
import { UnsavedQuestion } from './unsaved-question.tsx';
import { useLeaveQuestion } from './use-leave-question.ts';

const texts = unsavedTexts;

/**
 * Asks for confirmation before the user leaves the screen, closes the page or logs out while `when`
 * is true.
 */
export function UnsavedWarning({ when }: { when: boolean }) {
  const { isAsking, answer } = useLeaveQuestion(when);
  const stay = () => answer(false);
  return (
    <Modal opened={isAsking} onClose={stay} title={texts.title}>
      <UnsavedQuestion texts={texts} onLeave={() => answer(true)} onStay={stay} />
    </Modal>
  );
}
