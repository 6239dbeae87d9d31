import type { Command, Option } from './commands/command.ts';

/** Options of every command. */
export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  'base-url': { type: 'string', value: 'url', help: 'The server (default: SVC_BASE_URL, or the last login)' },
  'api-key': { type: 'string', value: 'key', help: 'The API key; prefer SVC_API_KEY or `svcforms login`' },
  help: { type: 'boolean', short: 'h', help: 'Show this help' },
};

/** Lists the commands. */
export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    'Usage: svcforms <command> [options]',
    '',
    ...lines,
    '',
    'svcforms help <command> shows the options. svcforms --version shows the version.',
    'The API key comes from SVC_API_KEY or `svcforms login`, the server from SVC_BASE_URL or the login.',
    'Exit codes: 0 success, 1 refused or failed, 2 wrong usage.',
  ].join('\n');
}

export function helpOf({ name, args, summary, options, more }: Command): string {
  const rows = Object.entries({ ...options, ...COMMON_OPTIONS }).map(([flag, { short, value, help }]) => {
    const names = `${short === undefined ? '    ' : `-${short}, `}--${flag}`;
    return [`  ${names}${value === undefined ? '' : ` <${value}>`}`, help] as const;
  });
  const width = Math.max(...rows.map(([flags]) => flags.length));
  return [
    `Usage: ${['svcforms', name, args, '[options]'].filter(Boolean).join(' ')}`,
    '',
    `${summary}.`,
    '',
    ...rows.map(([flags, help]) => `${flags.padEnd(width)}  ${help}`),
    ...(more === undefined ? [] : ['', more]),
  ].join('\n');
}
