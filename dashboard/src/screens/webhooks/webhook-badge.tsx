import type { AnyWebhook } from '../../api/webhooks.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';

const texts = webhooksTexts.states;

/** The status of a webhook, with the reason if it is disabled. */
export function WebhookBadge({
  webhook: { isEnabled, disabledReason, failingSince },
}: {
  webhook: AnyWebhook;
}) {
  if (isEnabled && failingSince) return <StatusBadge tone="attention">{texts.failing}</StatusBadge>;
  if (isEnabled) return <StatusBadge tone="good">{texts.on}</StatusBadge>;
  if (disabledReason === 'failures') return <StatusBadge tone="bad">{texts.failures}</StatusBadge>;
  if (disabledReason === 'gone') return <StatusBadge tone="bad">{texts.gone}</StatusBadge>;
  return <StatusBadge tone="neutral">{texts.off}</StatusBadge>;
}
