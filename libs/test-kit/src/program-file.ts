import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from './temp-folder.ts';

/** The file of a program in any language, and how to run it. */
export interface ProgramFile {
  file: string;
  /** Runs the file, whose path is added. */
  command: readonly [program: string, ...args: string[]];
  /**
   * The command compiles the file instead: the paths of the executable and of the file are added.
   */
  isCompiled?: true;
}

/**
 * Writes the program, compiles it if that is needed, and returns a function that runs it and
 * returns its output. A first compilation takes up to a minute: make an input that contains times
 * afterwards.
 */
export function prepareProgram(
  { file, command: [program, ...args], isCompiled }: ProgramFile,
  text: string,
): (input: string) => string {
  const path = join(tempFolder(), file);
  writeFileSync(path, text);
  if (!isCompiled) return (input) => execFileSync(program, [...args, path], { input, encoding: 'utf8' });
  const executable = `${path}.out`;
  execFileSync(program, [...args, executable, path]);
  return (input) => execFileSync(executable, { input, encoding: 'utf8' });
}
