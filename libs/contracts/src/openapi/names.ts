import type { Operation } from './operation.ts';

/** The tags of the API in display order, with their path segments. */
export const TAGS = [
  { name: 'Forms', segments: ['forms', 'templates'], description: 'What is asked, and how it is shown.' },
  {
    name: 'Submissions',
    segments: ['submissions', 'erasures'],
    description: 'What visitors and systems sent.',
  },
  {
    name: 'Notifications',
    segments: ['notification-addresses'],
    description: 'Who gets emails about new submissions.',
  },
  {
    name: 'Popup counters',
    segments: ['stats'],
    description: 'How often a popup was shown, converted and declined.',
  },
  { name: 'Inbound', segments: ['inbound'], description: 'Submissions from other systems.' },
  {
    name: 'Webhooks',
    segments: ['webhooks', 'deliveries'],
    description: 'Signed events to your systems, and what became of them.',
  },
  { name: 'Tasks', segments: ['tasks', 'mcp'], description: 'Questions to people, asked by programs.' },
  { name: 'Embed', segments: ['embed', 'f'], description: 'What browsers read of a form.' },
  { name: 'Logins', segments: ['auth'], description: 'Sessions of people.' },
  { name: 'Account', segments: ['account'], description: 'What holds for all forms of the account.' },
  { name: 'Users', segments: ['users'], description: 'People of the account.' },
  { name: 'API keys', segments: ['keys'], description: 'Credentials of programs.' },
  { name: 'Audit log', segments: ['audit-log'], description: 'Who changed what, and when.' },
] as const;

/** Returns the tag of the last path segment that has one. */
export function tagOf({ tag, path }: Operation): string {
  if (tag !== undefined) return tag;
  const segments = path.split('/').reverse();
  const found = segments.flatMap((segment) =>
    TAGS.filter((candidate) => (candidate.segments as readonly string[]).includes(segment)),
  );
  return found[0]?.name ?? 'Forms';
}

/** `Create a form` → `createForm`. */
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
