import { readTriggerText, triggerText } from './trigger-text.ts';

describe('triggerText and readTriggerText', () => {
  it.each([
    ['exit', { trigger: 'exit' }],
    ['delay:8000', { trigger: 'delay', delayMs: 8000 }],
    ['inactivity:0', { trigger: 'inactivity', delayMs: 0 }],
    ['scroll:62.5', { trigger: 'scroll', scrollPercent: 62.5 }],
    ['click:.a, .b', { trigger: 'click', selector: '.a, .b' }],
    ['visible:[data-x="a&b"]', { trigger: 'visible', selector: '[data-x="a&b"]' }],
    ['intent', { trigger: 'intent' }],
    ['intent:hot', { trigger: 'intent', intentLevel: 'hot' }],
    [
      'scroll:40&click:#buy',
      {
        trigger: 'all',
        and: [
          { trigger: 'scroll', scrollPercent: 40 },
          { trigger: 'click', selector: '#buy' },
        ],
      },
    ],
  ] as const)('convert in both directions: %s', (text, settings) => {
    expect(readTriggerText(text)).toEqual({ settings });
    expect(triggerText(settings as never)).toBe(text);
  });

  it('apply the defaults of the embed', () => {
    expect(triggerText({ trigger: 'delay', selector: 'unused' })).toBe('delay:5000');
    expect(triggerText({ trigger: 'scroll' })).toBe('scroll:50');
    expect(triggerText({ trigger: 'all', and: [{ trigger: 'exit' }, { trigger: 'delay' }] })).toBe(
      'exit&delay:5000',
    );
    expect(triggerText({ trigger: 'all' })).toBe('');
    expect(triggerText({})).toBe('');
  });
});

describe('readTriggerText', () => {
  it.each([
    ['dely:5', 'dely:5', /“dely” is not a trigger; use one of: exit, delay/],
    ['exit & scroll:50% ', 'scroll:50%', /percent from 0 to 100/],
    ['scroll:101', 'scroll:101', /percent from 0 to 100/],
    ['delay', 'delay', /whole milliseconds/],
    ['exit&inactivity:1.5', 'inactivity:1.5', /whole milliseconds/],
    ['click:', 'click:', /CSS selector/],
    ['visible', 'visible', /CSS selector/],
    ['intent:cold&exit', 'intent:cold', /warm, hot or nothing/],
    ['exit:now', 'exit:now', /no parameter/],
    ['exit&', '', /is missing here/],
    ['click:#a, delay:', 'delay:', /whole milliseconds/],
    ['click:[data-x="a,b"], scroll:50%', 'scroll:50%', /percent from 0 to 100/],
    ['click:#a,', '', /is missing here/],
    ['  ', '  ', /is empty/],
    ['click:.a, .b & hover, dely', undefined, undefined],
    ['exit, delay:10', ' delay:10', /data-svc-trigger/],
    ['click:.a, .b, exit', ' exit', /data-svc-trigger/],
    ['exit&delay:1&scroll:2', 'scroll:2', /at most two conditions/],
  ])('explains what is wrong in %j at %j', (text, range, message) => {
    const read = readTriggerText(text);
    if (range === undefined) {
      // The whole text is the selector of the first condition.
      expect(read).toMatchObject({ settings: { trigger: 'click' } });
      return;
    }
    if (!('problem' in read)) throw new Error(`${text} was read`);
    expect(text.slice(read.problem.start, read.problem.end)).toBe(range);
    expect(read.problem.message).toMatch(message);
  });
});
