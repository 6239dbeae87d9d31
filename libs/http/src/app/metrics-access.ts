import ipaddr from 'ipaddr.js';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';

export interface MetricsAccess {
  /**
   * Who can read /metrics without the token: all direct clients, or programs on this machine only.
   */
  from: 'anywhere' | 'loopback';
  /**
   * Anyone who sends it as `Authorization: Bearer` can read /metrics. When it is set, `anywhere`
   * has no effect.
   */
  token?: string | undefined;
}

/**
 * A reverse proxy on this machine makes all its clients look local, so forwarded requests don't
 * count as local.
 */
const FORWARDED = ['X-Forwarded-For', 'X-Real-IP', 'Forwarded'];

/** Whether this request can read /metrics. */
export function mayReadMetrics(ctx: Context, { from, token }: MetricsAccess): boolean {
  if (token !== undefined && hasToken(ctx, token)) return true;
  return from === 'anywhere' ? token === undefined : isLocal(ctx);
}

function hasToken(ctx: Context, token: string): boolean {
  const [, given] = /^Bearer +(\S+) *$/i.exec(ctx.get('Authorization')) ?? [];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

const digest = (text: string) => createHash('sha256').update(text).digest();

function isLocal(ctx: Context): boolean {
  const address = ctx.req.socket.remoteAddress ?? '';
  if (!ipaddr.isValid(address) || ipaddr.process(address).range() !== 'loopback') return false;
  return FORWARDED.every((header) => ctx.get(header) === '');
}
