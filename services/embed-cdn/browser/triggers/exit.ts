import type { Trigger } from '../core/trigger.ts';
import type { ExitSignal } from './exit-signals/signal.ts';

/** The exports of the chunk that is loaded for exit intent. */
export interface ExitChunk {
  signals: readonly ExitSignal[];
}

/**
 * Exit intent: any of five signals. All are gestures and are held by the guard, so their chunk
 * loads while the guard lasts.
 */
export const createExit =
  (loadSignals: () => Promise<ExitChunk>): Trigger =>
  (_, arming) => {
    let isOver: boolean | undefined;
    const leave = () => void (arming.isLifted() && arming.fire(true));
    arming.scope.add(() => (isOver = true));
    const loading = loadSignals().catch((): ExitChunk => ({ signals: [] }));
    arming.whenNear(
      () => void loading.then(({ signals }) => isOver || signals.forEach((watch) => watch(arming, leave))),
    );
    arming.whenLifted(arming.warm);
  };
