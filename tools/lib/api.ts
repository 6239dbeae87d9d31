import { createClient } from '@svcforms/test-kit';

/** What most requests of the tools read from a response. */
export interface Created {
  id: string;
}

/** Posts JSON to the API and returns the `data` of the response. */
export async function post<T = Created>(
  baseUrl: string,
  token: string,
  path: string,
  body: object,
): Promise<T> {
  const response = await createClient({ baseUrl, token }).post<T>(path, { body });
  if (!response.body?.success) throw new Error(`POST ${path}: ${response.status} ${response.text}`);
  return response.body.data;
}
