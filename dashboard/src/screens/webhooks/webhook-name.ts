/** What people recognize a webhook by: the host and path of its URL. */
export function webhookName(url: string): string {
  const { host, pathname } = parsed(url) ?? { host: url, pathname: '' };
  return pathname === '/' ? host : `${host}${pathname}`;
}

function parsed(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}
