import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { FormDefinition } from '@svcforms/contracts';
import { publishTexts } from '../../../texts/publish.ts';
import { shellTexts } from '../../../texts/shell.ts';

const texts = publishTexts.empty;

/** Asks before a form without fields is published, because that is hardly ever intended. */
export function confirmEmpty({ fields }: Pick<FormDefinition, 'fields'>, publish: () => void): void {
  if (fields.length > 0) return publish();
  modals.openConfirmModal({
    title: texts.title,
    children: <Text>{texts.text}</Text>,
    labels: { confirm: texts.confirm, cancel: shellTexts.cancel },
    onConfirm: publish,
  });
}
