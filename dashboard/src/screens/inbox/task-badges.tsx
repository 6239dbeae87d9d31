import type { TaskPriority, TaskStatus } from '@svcforms/contracts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { inboxTexts as texts } from '../../texts/inbox.ts';

const STATUS_COLORS: Readonly<Record<TaskStatus, string>> = {
  awaiting: 'indigo',
  approved: 'teal',
  rejected: 'red',
  submitted: 'teal',
  expired: 'gray',
  cancelled: 'gray',
};
const PRIORITY_COLORS: Readonly<Record<TaskPriority, string>> = {
  urgent: 'red',
  high: 'orange',
  normal: 'gray',
  low: 'gray',
};

export function TaskStatusBadge({ status }: { status: TaskStatus }) {
  return <StatusBadge color={STATUS_COLORS[status]}>{texts.statuses[status]}</StatusBadge>;
}

export function PriorityBadge({ priority }: { priority: TaskPriority }) {
  return <StatusBadge color={PRIORITY_COLORS[priority]}>{texts.priorities[priority]}</StatusBadge>;
}
