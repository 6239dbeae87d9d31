/** What people recognize a webhook by: the host and path of its URL. */
export function webhookName(url: string): string {
  const { host, pathname } = parsed(url) ?? { host: url, pathname: '' };
  return pathname === '/' ? host : `${host}${pathname}`;
}

/** The part of a webhook's name that is never a secret. */
export function webhookHost(url: string): string {
  return parsed(url)?.host ?? '';
}

function parsed(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}
