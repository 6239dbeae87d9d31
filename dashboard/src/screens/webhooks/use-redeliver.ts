import type { DeliveryOut } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { redeliver, cacheDelivery, invalidateWebhook, type Webhook } from '../../api/webhooks.ts';
import { toastSuccess } from '../../components/toast.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';

export function useRedeliver(webhook: Webhook) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: DeliveryOut) => redeliver(webhook, id),
    async onSuccess(delivery) {
      toastSuccess(webhooksTexts.deliveries.redelivered);
      cacheDelivery(queryClient, webhook, delivery);
      await invalidateWebhook(queryClient, webhook);
    },
  });
}
