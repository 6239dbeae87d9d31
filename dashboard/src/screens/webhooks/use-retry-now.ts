import type { DeliveryOut } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { invalidateWebhook, retryNow, type Webhook } from '../../api/webhooks.ts';
import { toastSuccess } from '../../components/toast.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';

/** Sends deliveries again now: finished ones, and those that wait for their next attempt. */
export function useRetryNow(webhook: Webhook) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (deliveries: readonly DeliveryOut[]) => retryNow(webhook, deliveries),
    meta: { showsError: true },
    onSuccess: (_, deliveries) => toastSuccess(webhooksTexts.recover.retrying(deliveries.length)),
    onSettled: () => invalidateWebhook(queryClient, webhook),
  });
}
