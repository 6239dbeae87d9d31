import { Group } from '@mantine/core';
import type { FormOut } from '@svcforms/contracts';
import { useIsClosed } from '../../api/use-is-closed.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formsTexts } from '../../texts/forms.ts';

const texts = formsTexts.status;

/** The status of a form in the list. */
export function ListedStatus({ form }: { form: FormOut }) {
  const isClosed = useIsClosed(form);
  if (form.version === 0) return <StatusBadge tone="neutral">{texts.draft}</StatusBadge>;
  return (
    <Group gap="xs">
      <StatusBadge tone={isClosed ? 'neutral' : 'good'}>
        {isClosed ? texts.closed : texts.published}
      </StatusBadge>
      {form.draft && <StatusBadge tone="open">{texts.changed}</StatusBadge>}
    </Group>
  );
}
