import type { HeaderOut } from '@svcforms/contracts';

/**
 * The custom headers of a webhook. Absent without any. docs/reference/webhooks.md#custom-headers
 */
export type WebhookHeaders = {
  /** What responses show, in the order in which they are sent. */
  shown: HeaderOut[];
  /**
   * All names and values as one text, sealed like the secret: one decryption opens them, and nobody
   * can exchange the values of two names in the store.
   */
  sealed: string;
};

/** Names with their values. */
export type HeaderValues = Readonly<Record<string, string>>;

/** The text to seal. */
export const headersText = (values: HeaderValues): string => JSON.stringify(values);

/**
 * Reads the text of {@link headersText}. @throws Error that doesn't contain the text, because logs
 * contain the error
 */
export function readHeadersText(text: string): HeaderValues {
  try {
    const values: unknown = JSON.parse(text);
    if (typeof values === 'object' && values !== null) return values as HeaderValues;
  } catch {
    // The message would quote the text.
  }
  throw new Error('the sealed headers of the webhook are not a JSON object');
}
