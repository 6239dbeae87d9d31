import { Group } from '@mantine/core';
import type { FormOut } from '@svcforms/contracts';
import { useQuery } from '@tanstack/react-query';
import { isClosedNow, isClosedQuery } from '../../../api/forms.ts';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { publishTexts } from '../../../texts/publish.ts';

const texts = publishTexts.status;

/** Whether the form is published, in which version, and whether it is closed. */
export function FormStatus({ form }: { form: FormOut }) {
  const { closing } = form.settings;
  const isPublished = form.version > 0;
  const hasMaximum = closing?.maxSubmissions !== undefined;
  const isFull = useQuery({ ...isClosedQuery(form.id), enabled: isPublished && hasMaximum }).data;
  if (!isPublished) return <StatusBadge tone="neutral">{texts.draft}</StatusBadge>;
  const isClosed = isClosedNow(closing) || (hasMaximum && isFull === true);
  return (
    <Group gap="xs">
      <StatusBadge tone={isClosed ? 'neutral' : 'good'}>
        {isClosed ? texts.closed(form.version) : texts.published(form.version)}
      </StatusBadge>
      {form.draft && <StatusBadge tone="open">{texts.changed}</StatusBadge>}
    </Group>
  );
}
