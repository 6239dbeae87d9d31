import type { IncomingHttpHeaders } from 'node:http';

/** Whether a request has a cookie with this value. */
export const hasCookie = ({ cookie = '' }: IncomingHttpHeaders, name: string, value: string): boolean =>
  cookie.split(';').some((pair) => pair.trim() === `${name}=${value}`);
