import { StoreError } from '@svcforms/document-store';
import { interceptCalls } from '@svcforms/document-store/testing';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { TASKS } from '@svcforms/records';
import { poll } from '@svcforms/test-kit';
import { openFixture } from '../test/fixture.ts';
import { describeHitl } from '../test/hitl-suite.ts';

describe('hitl with embedded backends', () => {
  describeHitl(openEmbeddedPair);
});

describe('hitl without its store', () => {
  it('logs the first failure of each sweep, and no more', async () => {
    const { store, startReplica, logged } = await openFixture(openEmbeddedPair());
    let failures = 0;
    await startReplica({
      store: interceptCalls(store, (call, { collection, method }) =>
        collection === TASKS.name && method === 'find'
          ? async () => {
              failures++;
              throw new StoreError('UNAVAILABLE', 'the test has cut the store off');
            }
          : call,
      ),
    });
    // Three sweeps and the relay search the tasks.
    await poll(() => failures >= 12, { what: 'three searches of each' });
    const sweeps = logged('hitl.waiting').map((line) => (JSON.parse(line) as { what: string }).what);
    expect(sweeps.sort()).toEqual(['callback sweep', 'expiry sweep', 'follow-up sweep']);
  });
});
