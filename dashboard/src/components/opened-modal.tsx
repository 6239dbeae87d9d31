import { Modal, type ModalProps } from '@mantine/core';
import { useReturnedFocus } from './use-returned-focus.ts';

/**
 * A dialog that is open as long as it exists. At its end, the focus returns to what had it before:
 * the library returns it only from dialogs that stay mounted.
 */
export function OpenedModal(props: Omit<ModalProps, 'opened'>) {
  useReturnedFocus();
  return <Modal opened {...props} />;
}
