import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

let ticks = 0;

/**
 * CPU seconds, of user and system, that a process and all its descendants have used, including
 * those that have ended.
 */
export function cpuSecondsOf(pid: number): number {
  ticks ||= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  const { children, own } = readProcesses();
  const withDescendants = (id: number): number =>
    (own.get(id) ?? 0) + (children.get(id) ?? []).reduce((sum, child) => sum + withDescendants(child), 0);
  return withDescendants(pid) / ticks;
}

/**
 * KiB of memory that belongs to the process, with its share of what it has in common with others
 * (PSS).
 */
export function memoryKiBOf(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]);
}

function readProcesses(): { children: Map<number, number[]>; own: Map<number, number> } {
  const children = new Map<number, number[]>();
  const own = new Map<number, number>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const pid = Number(entry);
    try {
      const fields = readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      // User and system time of the process, and of its children that have ended.
      const times = fields.slice(11, 15).map(Number);
      const parent = Number(fields[1]);
      own.set(
        pid,
        times.reduce((sum, time) => sum + time, 0),
      );
      children.set(parent, [...(children.get(parent) ?? []), pid]);
    } catch {
      // It ended in the meantime; its parent accounts for its time.
    }
  }
  return { children, own };
}
