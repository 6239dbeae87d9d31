import { validationFailed } from '@svcforms/contracts';
import type { Caller } from '@svcforms/identity';
import type { Guard } from '@svcforms/outbound';

/** @throws AppError `VALIDATION_FAILED` if webhooks of the account can't be sent to the URL */
export async function checkTarget(guard: Guard, { accountId }: Caller, url: string): Promise<void> {
  const refusal = await guard.checkTarget(url, accountId);
  if (refusal) throw validationFailed([{ pointer: '/url', message: refusal.message }]);
}
