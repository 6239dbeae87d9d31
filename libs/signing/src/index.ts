export { signInbound, verifyInboundSignature, verifyTimestampedInbound } from './inbound-signature.ts';
export { createReceiptKeys } from './receipts.ts';
export type { ReceiptClaims, ReceiptKeys } from './receipts.ts';
export {
  createSecretBox,
  DROPPED_SECRET,
  generateEncryptionKey,
  isNotOpened,
  SecretBoxError,
} from './secret-box.ts';
export type { SecretBox } from './secret-box.ts';
export { openJson, sealJson } from './sealed-json.ts';
export { generateToken, generateWebhookSecret, hashToken } from './secrets.ts';
export { generateSigningKey, readSigningKey } from './signing-key.ts';
export { standardWebhooksHeaders } from './standard-webhooks.ts';
export { svcSignature, verifySvcSignature } from './svc-signature.ts';
export { webhookHeaders } from './webhook-headers.ts';
