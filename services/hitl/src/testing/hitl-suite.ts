import type { StoreAndBus } from '@svcforms/event-bus/testing';
import { describeSettling } from './settling-suite.ts';
import { openStage, type Stage } from './stage.ts';
import { describeStream } from './stream-suite.ts';

/** Describes what the service does, on any pair of engines. */
export function describeHitl(open: () => StoreAndBus | Promise<StoreAndBus>): void {
  let stage: Stage | undefined;
  const ready = (): Stage => {
    if (!stage) throw new Error('the stage could not be opened');
    return stage;
  };

  beforeAll(async () => {
    stage = await openStage(await open());
  }, 120_000);

  describeSettling(ready);
  describe('the stream', () => describeStream(ready));
}
