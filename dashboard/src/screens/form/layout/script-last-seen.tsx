import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { formQuery } from '../../../api/forms.ts';
import { Time } from '../../../components/time.tsx';
import { shareTexts } from '../../../texts/share.ts';

const texts = shareTexts.seen;
/** While somebody waits for the first sign of the script, and after it. */
const WAITING_MS = 5_000;
const SEEN_MS = 60_000;

/**
 * The last page of another site that loaded the form. Unless somebody `waits` for the first one, it
 * shows nothing before: many forms are only shared as a link.
 */
export function ScriptLastSeen({ formId, waits = true }: { formId: string; waits?: boolean }) {
  const { data } = useQuery({
    ...formQuery(formId),
    refetchInterval: ({ state }) => (state.data?.scriptLastSeen || !waits ? SEEN_MS : WAITING_MS),
  });
  const seen = data?.scriptLastSeen;
  if (!seen && !waits) return null;
  const Icon = seen ? IconCircleCheck : IconCircleDashed;
  return (
    <Group gap="xs" wrap="nowrap" role="status">
      <Icon
        size={18}
        aria-hidden
        style={{ flex: 'none' }}
        color={seen ? 'var(--mantine-color-teal-6)' : 'var(--mantine-color-dimmed)'}
      />
      {seen ? (
        <Text>
          {texts.on(seen.host)} <Time at={seen.at} />
        </Text>
      ) : (
        <Text c="dimmed">{texts.never}</Text>
      )}
    </Group>
  );
}
