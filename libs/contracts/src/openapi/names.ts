import type { Operation } from './operation.ts';

/** The sections of the API in display order, with the path segments that belong to each. */
export const TAGS = [
  { name: 'Forms', segments: ['forms', 'templates'], description: 'Fields, settings and templates.' },
  {
    name: 'Submissions',
    segments: ['submissions', 'erasures'],
    description: 'Values submitted by visitors and systems, and their erasure.',
  },
  {
    name: 'Notifications',
    segments: ['notification-addresses'],
    description: 'Recipients of emails about new submissions.',
  },
  {
    name: 'Popup counters',
    segments: ['stats'],
    description: 'Impressions, conversions and declines of popups.',
  },
  { name: 'Inbound', segments: ['inbound'], description: 'Submissions from other systems.' },
  {
    name: 'Webhooks',
    segments: ['webhooks', 'deliveries', 'event-types'],
    description: 'Signed events sent to your endpoints, and their deliveries.',
  },
  { name: 'Tasks', segments: ['tasks', 'mcp'], description: 'Decisions that programs request from people.' },
  { name: 'Embed', segments: ['embed', 'f'], description: 'Resources that browsers load to show a form.' },
  { name: 'Logins', segments: ['auth'], description: 'Login and sessions of users.' },
  { name: 'Account', segments: ['account'], description: 'Settings for all forms of the account.' },
  {
    name: 'Users',
    segments: ['users', 'invitations', 'groups'],
    description: 'Users of the account, invitations, and groups.',
  },
  { name: 'API keys', segments: ['keys'], description: 'Credentials of programs.' },
  { name: 'Audit log', segments: ['audit-log'], description: 'Changes to the account: who, what and when.' },
] as const;

/** The explicit tag of an operation, or the one of the last path segment that belongs to a tag. */
export function tagOf({ tag, path }: Operation): string {
  if (tag !== undefined) return tag;
  const segments = path.split('/').reverse();
  const found = segments.flatMap((segment) =>
    TAGS.filter((candidate) => (candidate.segments as readonly string[]).includes(segment)),
  );
  return found[0]?.name ?? 'Forms';
}

/** Derives an operation id from the summary: `Create a form` → `createForm`. */
export function operationIdOf({ operationId, summary }: Operation): string {
  if (operationId !== undefined) return operationId;
  const words = summary
    .replace(/[^A-Za-z0-9 ]/g, '')
    .split(' ')
    .filter((word) => word !== '' && !/^(a|an|the|of|all|that|its|with)$/i.test(word));
  return words
    .map(
      (word, index) =>
        (index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1),
    )
    .join('');
}
