import { SvcForms, type ClientOptions, type Form } from '@svcforms/sdk';
import { newApiKey, startProcess, testSettings, type ProductProcess } from '@svcforms/test-kit';

export interface Product {
  process: ProductProcess;
  apiKey: string;
  client: SvcForms;
  /** Another client; by default with the key of the first one. */
  connect(options?: ClientOptions): SvcForms;
}

export const FIELDS = [
  { name: 'email', type: 'email', required: true },
  { name: 'message', type: 'textarea' },
] as const;
export const ADA = { email: 'ada@example.com' };

/** Starts the product with its embedded backends, and a client of the SDK. */
export async function startProduct(env: Record<string, string> = {}): Promise<Product> {
  const apiKey = newApiKey();
  const process = await startProcess('standalone', { env: { ...testSettings({ apiKey }), ...env } });
  const connect = (options: ClientOptions = {}) => new SvcForms({ apiKey, baseUrl: process.url, ...options });
  return { process, apiKey, client: connect(), connect };
}

/** Creates a form with a required email. */
export function createContactForm(client: SvcForms): Promise<Form> {
  return client.forms.create({ name: 'Contact', fields: [...FIELDS] });
}
