import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 inline less code into optimized functions. This saves an eighth of the CPU time of the
 * first tens of thousands of requests, when most of it goes into compiling, and has no measurable
 * cost later.
 *
 * Also makes V8 collect old objects when they have doubled since the last time. By default it lets
 * them grow to several times of what is alive, and never returns that memory. docs/adr/0019
 */
export function tuneV8(): void {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=200');
  setFlagsFromString('--heap-growing-percent=100');
}
