import type { ApiResponse } from './client.ts';

/** The cookie that the response to a login sets, as browsers send it; empty without one. */
export const sessionCookie = ({ headers }: Pick<ApiResponse<unknown>, 'headers'>): string =>
  headers.get('set-cookie')?.split(';')[0] ?? '';
