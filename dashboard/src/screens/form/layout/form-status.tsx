import { Group } from '@mantine/core';
import type { FormOut } from '@svcforms/contracts';
import { useIsClosed } from '../../../api/use-is-closed.ts';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { publishTexts } from '../../../texts/publish.ts';

const texts = publishTexts.status;

/** Whether the form is published, in which version, and whether it is closed. */
export function FormStatus({ form }: { form: FormOut }) {
  const isClosed = useIsClosed(form);
  if (form.version === 0) return <StatusBadge tone="neutral">{texts.draft}</StatusBadge>;
  return (
    <Group gap="xs">
      <StatusBadge tone={isClosed ? 'neutral' : 'good'}>
        {isClosed ? texts.closed(form.version) : texts.published(form.version)}
      </StatusBadge>
      {form.draft && <StatusBadge tone="open">{texts.changed}</StatusBadge>}
    </Group>
  );
}
