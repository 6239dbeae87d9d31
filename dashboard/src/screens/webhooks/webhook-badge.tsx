import type { WebhookOut } from '@svcforms/contracts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';

const texts = webhooksTexts.states;

/** Whether it gets anything, and if not, why. */
export function WebhookBadge({
  webhook: { isEnabled, disabledReason, failingSince },
}: {
  webhook: WebhookOut;
}) {
  if (isEnabled && failingSince) return <StatusBadge colour="orange">{texts.failing}</StatusBadge>;
  if (isEnabled) return <StatusBadge colour="teal">{texts.on}</StatusBadge>;
  if (disabledReason === 'failures') return <StatusBadge colour="red">{texts.failures}</StatusBadge>;
  if (disabledReason === 'gone') return <StatusBadge colour="red">{texts.gone}</StatusBadge>;
  return <StatusBadge colour="gray">{texts.off}</StatusBadge>;
}
