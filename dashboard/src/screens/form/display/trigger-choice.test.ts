import type { Popup } from '@svcforms/contracts';
import { usesTrigger, withCondition, withTrigger } from './trigger-choice.ts';

const popup: Popup = { enabled: true, trigger: 'delay', delayMs: 8000, selector: '#buy' };

describe('withTrigger', () => {
  it('keeps the parameters of other triggers', () => {
    expect(withTrigger(withTrigger(popup, 'scroll'), 'delay')).toEqual(popup);
    expect(withTrigger(popup, 'click')).toEqual({ ...popup, trigger: 'click' });
  });

  it('creates a combination from saved parameters, and keeps an existing one', () => {
    const pair = withTrigger(popup, 'all');
    expect(pair.and).toEqual([{ trigger: 'exit' }, { trigger: 'delay', delayMs: 8000 }]);
    expect(withTrigger(withTrigger(pair, 'exit'), 'all')).toEqual(pair);
    expect(usesTrigger(pair, 'exit')).toBe(true);
    expect(usesTrigger({ ...pair, trigger: 'delay' }, 'exit')).toBe(false);
  });

  it('changes one condition of a combination, and removes undefined parameters', () => {
    const pair = withTrigger(popup, 'all');
    expect(withCondition(pair, 1, { delayMs: undefined }).and).toEqual([
      { trigger: 'exit' },
      { trigger: 'delay' },
    ]);
  });
});
