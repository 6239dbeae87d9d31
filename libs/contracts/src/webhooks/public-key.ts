import { z } from 'zod';

const SWITCH = {
  description:
    'Whether each request also has a signature (`v1a`, Ed25519) that everybody can verify with the public key.',
  example: false,
};

/**
 * Switches the public-key signature of a new webhook. See
 * docs/reference/webhooks.md#public-key-signature.
 */
export const isPublicKeySigned = z.boolean().meta(SWITCH);

export const isPublicKeySignedPatch = z.boolean().meta({
  ...SWITCH,
  description:
    'Whether each request also has a signature (`v1a`, Ed25519). `true` creates a key pair if there is none; `false` deletes it.',
});

/** The key of a webhook in responses. */
export const publicKeyOut = {
  isPublicKeySigned: z.boolean().meta(SWITCH),
  publicKeyId: z
    .string()
    .meta({
      description: 'Id of the public key in `/.well-known/webhooks-keys.json`. Absent without a key pair.',
      example: '3f1c9a5be07d2468',
    })
    .optional(),
  publicKey: z
    .string()
    .meta({
      description: 'Public key: `whpk_` and its 32 bytes in base64. Absent without a key pair.',
      example: 'whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
    })
    .optional(),
};

/** Query of GET /.well-known/webhooks-keys.json. */
export const WebhookKeysQuery = z
  .strictObject({
    id: z
      .string()
      .max(64)
      .meta({ description: 'Id of a key. Default: all keys.', example: '3f1c9a5be07d2468' })
      .optional(),
  })
  .meta({ description: 'Filter of the public keys.' });
export type WebhookKeysQuery = z.output<typeof WebhookKeysQuery>;
