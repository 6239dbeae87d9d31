import type { Popup } from '@svcforms/contracts';
import { waitsFor, withHalf, withTrigger } from './trigger-choice.ts';

const popup: Popup = { enabled: true, trigger: 'delay', delayMs: 8000, selector: '#buy' };

describe('choosing a trigger', () => {
  it('keeps what the others read.', () => {
    expect(withTrigger(withTrigger(popup, 'scroll'), 'delay')).toEqual(popup);
    expect(withTrigger(popup, 'click')).toEqual({ ...popup, trigger: 'click' });
  });

  it('begins a pair with what there is, and finds a pair again.', () => {
    const pair = withTrigger(popup, 'all');
    expect(pair.and).toEqual([{ trigger: 'exit' }, { trigger: 'delay', delayMs: 8000 }]);
    expect(withTrigger(withTrigger(pair, 'exit'), 'all')).toEqual(pair);
    expect(waitsFor(pair, 'exit')).toBe(true);
    expect(waitsFor({ ...pair, trigger: 'delay' }, 'exit')).toBe(false);
  });

  it('changes one half of the pair, and takes away what is gone.', () => {
    const pair = withTrigger(popup, 'all');
    expect(withHalf(pair, 1, { delayMs: undefined }).and).toEqual([
      { trigger: 'exit' },
      { trigger: 'delay' },
    ]);
  });
});
