import { isId } from '@svcforms/contracts';

/** Marks these messages among the broadcasts. */
const PREFIX = 'script-seen ';
/** The longest DNS name, and a port. */
const MAX_HOST_LENGTH = 253 + 6;

/** A page that loaded the embed script for a form. */
export interface ScriptSightingMessage {
  formId: string;
  /** The host of the page's origin, with its port. */
  host: string;
}

/** The broadcast by which embed-cdn reports where it saw a form's script. ADR 0085 */
export const scriptSightingMessage = ({ formId, host }: ScriptSightingMessage): string =>
  `${PREFIX}${formId} ${host}`;

/** Returns `null` for any other broadcast. */
export function readScriptSighting(message: string): ScriptSightingMessage | null {
  if (!message.startsWith(PREFIX)) return null;
  const [formId = '', host = '', ...others] = message.slice(PREFIX.length).split(' ');
  if (others.length > 0 || !isId('frm', formId) || host === '' || host.length > MAX_HOST_LENGTH) return null;
  return { formId, host };
}

/**
 * The host of an `Origin` header. `null` for none, for an opaque origin and for one that isn't of a
 * website, such as that of a browser extension.
 */
export function originHost(origin: string | undefined): string | null {
  if (!origin || !/^https?:\/\//.test(origin)) return null;
  try {
    const { host } = new URL(origin);
    return host !== '' && host.length <= MAX_HOST_LENGTH ? host : null;
  } catch {
    return null;
  }
}
