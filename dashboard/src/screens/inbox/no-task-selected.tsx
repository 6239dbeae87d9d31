import { IconHandClick } from '@tabler/icons-react';
import { EmptyState } from '../../components/empty-state.tsx';
import { inboxTexts } from '../../texts/inbox.ts';

export function NoTaskSelected() {
  return <EmptyState icon={IconHandClick} text={inboxTexts.choose} />;
}
