import { endAll } from '@svcforms/test-kit';

/**
 * Runs a tool and ends the process with the exit code that `main` returns (0 without one).
 * Everything that the test kit's helpers have started ends first, even after an error or a signal;
 * `interrupted` is the exit code after a signal.
 */
export async function runTool(
  main: () => Promise<number | void>,
  { interrupted = 130 }: { interrupted?: number } = {},
): Promise<void> {
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      isInterrupted = true;
      void endAll().finally(() => process.exit(interrupted));
    });
  }
  let exitCode = 1;
  try {
    exitCode = (await main()) ?? 0;
  } catch (error) {
    if (!isInterrupted) console.error(error);
  }
  if (isInterrupted) return;
  await endAll().catch((error: unknown) => {
    console.error(error);
    exitCode = 1;
  });
  process.exit(exitCode);
}

/** Ends the process when a word of the command line isn't among those that it takes there. */
export function checkWord(tool: string, kind: string, word: string, known: readonly string[]): void {
  if (known.includes(word)) return;
  console.error(`${tool}: there is no ${kind} "${word}", only ${known.join(', ')}. Nothing was measured`);
  process.exit(1);
}
