import type { DeliveryOut } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { redeliver, rememberDelivery, webhookChanged, type Webhook } from '../../api/webhooks.ts';
import { toastDone } from '../../components/toast.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';

export function useRedeliver(webhook: Webhook) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: DeliveryOut) => redeliver(webhook, id),
    async onSuccess(delivery) {
      toastDone(webhooksTexts.deliveries.redelivered);
      rememberDelivery(queryClient, webhook, delivery);
      await webhookChanged(queryClient, webhook);
    },
  });
}
