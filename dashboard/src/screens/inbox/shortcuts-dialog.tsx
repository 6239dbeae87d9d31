import { ActionIcon, Kbd, Modal, Table } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { inboxTexts } from '../../texts/inbox.ts';

const texts = inboxTexts.keys;

/** The list of keyboard shortcuts, and its button. */
export function ShortcutsDialog({
  opened,
  onChange,
}: {
  opened: boolean;
  onChange: (opened: boolean) => void;
}) {
  return (
    <>
      <ActionIcon variant="default" size="lg" aria-label={texts.button} onClick={() => onChange(true)}>
        <IconKeyboard size={18} aria-hidden />
      </ActionIcon>
      <Modal opened={opened} onClose={() => onChange(false)} title={texts.title}>
        <Table>
          <Table.Tbody>
            {texts.list.map(([key, does]) => (
              <Table.Tr key={key}>
                <Table.Td>
                  <Kbd>{key}</Kbd>
                </Table.Td>
                <Table.Td>{does}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Modal>
    </>
  );
}
