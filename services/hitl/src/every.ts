/** Does `work` again and again, `everyMs` after it has ended; `stop` waits for what is under way. */
export function every(
  everyMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): { start(): void; stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;

  function schedule(): void {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = work().catch(onError).then(schedule);
    }, everyMs);
  }

  return {
    start: schedule,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
