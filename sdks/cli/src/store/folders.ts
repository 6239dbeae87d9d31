import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Folders {
  /** What the user set up: logins and signing secrets. */
  config: string;
  /** What the program remembers: positions in event streams. */
  state: string;
}

/** The folders of the XDG base directory specification, which ignores relative paths. */
export function foldersOf(env: Environment): Folders {
  const folder = (variable: string, fallback: string) => {
    const value = env[variable];
    return join(value && isAbsolute(value) ? value : join(env['HOME'] || homedir(), fallback), 'svcforms');
  };
  return { config: folder('XDG_CONFIG_HOME', '.config'), state: folder('XDG_STATE_HOME', '.local/state') };
}
