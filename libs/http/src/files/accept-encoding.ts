export type Encoding = 'br' | 'gzip';

const PREFERRED: readonly Encoding[] = ['br', 'gzip'];

/**
 * Returns the best encoding that an `Accept-Encoding` header allows; `undefined` if it allows
 * neither.
 */
export function pickEncoding(header: string | undefined): Encoding | undefined {
  const weights = new Map<string, number>();
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const [, q = '1'] = /^q=([\d.]+)$/.exec(parameters[0] ?? '') ?? [];
    weights.set(name, Number(q));
  }
  return PREFERRED.find((encoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0);
}
