import type { TaskPriority, TaskStatus } from '@svcforms/contracts';
import { StatusBadge, type Tone } from '../../components/status-badge.tsx';
import { inboxTexts as texts } from '../../texts/inbox.ts';

const STATUS_TONES: Readonly<Record<TaskStatus, Tone>> = {
  awaiting: 'open',
  approved: 'good',
  rejected: 'bad',
  submitted: 'good',
  expired: 'neutral',
  cancelled: 'neutral',
};
const PRIORITY_TONES: Readonly<Record<TaskPriority, Tone>> = {
  urgent: 'bad',
  high: 'attention',
  normal: 'neutral',
  low: 'neutral',
};

export function TaskStatusBadge({ status }: { status: TaskStatus }) {
  return <StatusBadge tone={STATUS_TONES[status]}>{texts.statuses[status]}</StatusBadge>;
}

export function PriorityBadge({ priority }: { priority: TaskPriority }) {
  return <StatusBadge tone={PRIORITY_TONES[priority]}>{texts.priorities[priority]}</StatusBadge>;
}
