import { AppError, SubmissionTokenOut } from '@svcforms/contracts';
import { clientNetwork, route, type Route } from '@svcforms/http';
import { isoTime, type Clock } from '@svcforms/primitives';
import { isPublic, type FormRecord } from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';
import { MIN_FILL_MS, TOKEN_LIFETIME_MS } from './judge.ts';
import { createSuspicion } from './suspicion.ts';
import { issueToken } from './tokens.ts';

export interface SpamDeps {
  /** Reads the stored form. */
  findForm: (formId: string) => Promise<FormRecord | null>;
  secretBox: Pick<SecretBox, 'seal'>;
  now: Clock;
}

/**
 * Tokens for submissions. Nothing is stored, so that they cost little.
 * docs/reference/forms.md#submission-tokens
 */
export function spamRoutes({ findForm, secretBox, now }: SpamDeps): Route[] {
  const suspect = createSuspicion();
  // prettier-ignore
  return [
    route({ method: 'GET', path: '/api/forms/:formId/submission-token', summary: 'Get a token for a submission', operationId: 'getSubmissionToken', access: 'public',
      crossOrigin: true, limit: 'counters', status: 200, response: SubmissionTokenOut, errors: ['NOT_FOUND'],
      handler: async ({ params, headers, ip }) => {
        const form = await findForm(params.formId);
        if (!isPublic(form)) throw new AppError('NOT_FOUND', 'There is no such form');
        const issuedAt = now();
        const demand = suspect({ network: clientNetwork(ip), headers, now: issuedAt });
        const { token, proof } = await issueToken(secretBox, { ...demand, formId: form._id, now: issuedAt });
        const data: SubmissionTokenOut = {
          formId: form._id,
          token,
          expiresAt: isoTime(issuedAt + TOKEN_LIFETIME_MS),
          minFillMs: MIN_FILL_MS,
          isProofRequired: demand.isProofRequired,
          proof,
        };
        return { data };
      } }),
  ];
}
