import type { DeliveryOut, DeliveryStatus } from '@svcforms/contracts';
import { StatusBadge, type Tone } from './status-badge.tsx';
import { webhooksTexts } from '../texts/webhooks.ts';

const TONES: Record<DeliveryStatus, Tone> = {
  pending: 'open',
  delivering: 'open',
  delivered: 'good',
  failed: 'bad',
  held: 'attention',
};

export function DeliveryBadge({ status }: { status: DeliveryStatus }) {
  return <StatusBadge tone={TONES[status]}>{webhooksTexts.deliveries.statuses[status]}</StatusBadge>;
}

/** The part of an attempt to send a delivery, or the callback of a task, that says how it ended. */
type Attempt = Pick<DeliveryOut['attempts'][number], 'status' | 'error'>;

/** The result of an attempt in a few words. */
export function outcomeOf({ status, error }: Attempt): string {
  if (status !== undefined) return webhooksTexts.delivery.response(status);
  return webhooksTexts.errors[error ?? ''] ?? error ?? '';
}
