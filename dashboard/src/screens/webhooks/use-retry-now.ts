import type { DeliveryOut } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { cacheDelivery, invalidateWebhook, retryNow, type Webhook } from '../../api/webhooks.ts';
import { toastSuccess } from '../../components/toast.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';

const texts = webhooksTexts.recover;

/**
 * Sends deliveries again now: finished ones, and those that wait for their next attempt. Fails if
 * some aren't sent, and says how many and why. `onRetried` is called for each of the others.
 */
export function useRetryNow(webhook: Webhook, onRetried?: (deliveryId: string) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    async mutationFn(deliveries: readonly DeliveryOut[]) {
      let retried = 0;
      const errors = await retryNow(webhook, deliveries, (delivery) => {
        retried++;
        cacheDelivery(queryClient, webhook, delivery);
        onRetried?.(delivery.id);
      });
      const [first] = errors;
      if (first === undefined) return;
      const reasons = [...new Set(errors.map(({ message }) => message))].join('; ');
      const message = texts.notRetried(deliveries.length - retried, deliveries.length, reasons);
      throw new ApiError({ ...first.problem, message });
    },
    meta: { showsError: true },
    onSuccess: (_, deliveries) => toastSuccess(texts.retrying(deliveries.length)),
    onSettled: () => invalidateWebhook(queryClient, webhook),
  });
}
