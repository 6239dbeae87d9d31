import { createClient, type ApiResponseBody, type ProductProcess } from '@svcforms/test-kit';

/** The response of a process to its readiness probe. */
export async function readiness({
  url,
}: ProductProcess): Promise<{ status: number; body: ApiResponseBody<never> }> {
  const { status, body } = await createClient({ baseUrl: url }).get<never>('/readyz');
  return { status, body };
}
