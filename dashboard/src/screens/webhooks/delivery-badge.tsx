import type { DeliveryOut, DeliveryStatus } from '@svcforms/contracts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';

const COLORS: Record<DeliveryStatus, string> = {
  pending: 'blue',
  delivering: 'blue',
  delivered: 'teal',
  failed: 'red',
  held: 'orange',
};

export function DeliveryBadge({ status }: { status: DeliveryStatus }) {
  return <StatusBadge color={COLORS[status]}>{webhooksTexts.deliveries.statuses[status]}</StatusBadge>;
}

/** The result of an attempt in a few words. */
export function outcomeOf({ status, error }: DeliveryOut['attempts'][number]): string {
  if (status !== undefined) return webhooksTexts.delivery.response(status);
  return webhooksTexts.errors[error ?? ''] ?? error ?? '';
}
