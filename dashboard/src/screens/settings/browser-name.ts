/**
 * The product tokens of browsers. Edge also sends Chrome's token, and Chrome sends Safari's, so the
 * order matters.
 */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;

const SYSTEMS = [
  ['Windows', 'Windows'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Mac OS X', 'macOS'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/**
 * Returns a name such as "Chrome on Linux", or the first token of other clients, such as
 * "curl/8.5.0".
 */
export function browserName(userAgent: string): string {
  const browser = BROWSERS.find(([token]) => userAgent.includes(`${token}/`))?.[1];
  const system = SYSTEMS.find(([token]) => userAgent.includes(token))?.[1];
  if (browser === undefined) return userAgent.split(' ')[0] ?? userAgent;
  return system === undefined ? browser : `${browser} on ${system}`;
}
