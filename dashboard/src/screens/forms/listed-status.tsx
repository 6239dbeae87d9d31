import type { FormOut } from '@svcforms/contracts';
import { isClosedNow } from '../../api/forms.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formsTexts } from '../../texts/forms.ts';

const texts = formsTexts.status;

/** The status of a form in the list. Whether it is full takes a request of its own, so its screens say that. */
export function ListedStatus({ form: { version, settings } }: { form: FormOut }) {
  if (version === 0) return <StatusBadge tone="neutral">{texts.draft}</StatusBadge>;
  const isClosed = isClosedNow(settings.closing);
  return (
    <StatusBadge tone={isClosed ? 'neutral' : 'good'}>
      {isClosed ? texts.closed : texts.published}
    </StatusBadge>
  );
}
