import { parseTriggers, savedTriggers } from './trigger-plan.ts';

const exit = { trigger: 'exit' };
const delay = (delayMs: number) => ({ trigger: 'delay', delayMs });
const click = (selector: string) => ({ trigger: 'click', selector });
const visible = (selector: string) => ({ trigger: 'visible', selector });
const scroll = (scrollPercent: number) => ({ trigger: 'scroll', scrollPercent });

describe('parseTriggers', () => {
  it.each([
    ['exit', [[exit]]],
    ['delay:8000', [[delay(8000)]]],
    ['inactivity:30000', [[{ trigger: 'inactivity', delayMs: 30_000 }]]],
    ['scroll:50', [[scroll(50)]]],
    ['scroll:62.5', [[scroll(62.5)]]],
    ['click:#buy', [[click('#buy')]]],
    ['visible:.pricing > h2', [[visible('.pricing > h2')]]],
    ['intent', [[{ trigger: 'intent' }]]],
    ['intent:warm', [[{ trigger: 'intent', intentLevel: 'warm' }]]],
    ['intent:hot', [[{ trigger: 'intent', intentLevel: 'hot' }]]],
    ['intent:warm&exit', [[{ trigger: 'intent', intentLevel: 'warm' }, exit]]],
    ['exit, delay:1000', [[exit], [delay(1000)]]],
    ['  exit  ,  scroll:10 & delay:5 ', [[exit], [scroll(10), delay(5)]]],
    ['exit&delay:1&scroll:2', [[exit, delay(1), scroll(2)]]],
    ['delay:0', [[delay(0)]]],
    ['delay:3600000', [[delay(3_600_000)]]],
    ['scroll:100', [[scroll(100)]]],
    ['delay: 10', [[delay(10)]]],
  ])('reads %s', (text, plan) => {
    expect(parseTriggers(text)).toEqual({ plan, skipped: [] });
  });

  it.each([
    ['click:.a, .b', [[click('.a, .b')]]],
    ['click:.a, .b, exit', [[click('.a, .b')], [exit]]],
    ['exit&click:.a, .b', [[exit, click('.a, .b')]]],
    ['click:.a, .b & exit', [[click('.a, .b'), exit]]],
    ['click:delay-box, exit-button', [[click('delay-box, exit-button')]]],
    ['click:[data-x="a,b&c"], exit', [[click('[data-x="a,b&c"]')], [exit]]],
    ['click:[data-x="]"], exit', [[click('[data-x="]"]')], [exit]]],
    ['visible::is(h1, h2), exit', [[visible(':is(h1, h2)')], [exit]]],
    ['visible::is(scroll,h2), exit', [[visible(':is(scroll,h2)')], [exit]]],
    ['click:[data-x="("], exit', [[click('[data-x="("]')], [exit]]],
    ['click::is([data-x="]"],scroll)', [[click(':is([data-x="]"],scroll)')]]],
    ['click:.a, .exit', [[click('.a, .exit')]]],
    ['click:.a\\,b, exit', [[click('.a\\,b')], [exit]]],
    ['click:.a:hover&scroll:50', [[click('.a:hover'), scroll(50)]]],
    ['click:.x & .y', [[click('.x& .y')]]],
  ])('does not split the selector of %s', (text, plan) => {
    expect(parseTriggers(text)).toEqual({ plan, skipped: [] });
  });

  it.each([
    ['hover', [], ['hover']],
    ['hover, exit', [[exit]], ['hover']],
    ['exit, .b', [[exit]], ['.b']],
    ['scroll:50%', [], ['scroll:50%']],
    ['scroll:101', [], ['scroll:101']],
    ['scroll:-1, exit', [[exit]], ['scroll:-1']],
    ['delay', [], ['delay']],
    ['delay:1.5', [], ['delay:1.5']],
    ['delay:1e3', [], ['delay:1e3']],
    ['click:', [], ['click:']],
    ['click', [], ['click']],
    ['intent:cold, exit', [[exit]], ['intent:cold']],
    ['intent:hottest', [], ['intent:hottest']],
    ['intent:lukewarm', [], ['intent:lukewarm']],
    ['exit:top', [], ['exit:top']],
    ['EXIT', [], ['EXIT']],
    ['all', [], ['all']],
    ['exit&nothing, delay:1', [[delay(1)]], ['exit&nothing']],
    ['exit&', [], ['exit&']],
    ['exit:', [], ['exit:']],
    ['exit,', [[exit]], ['']],
    ['intent:', [], ['intent:']],
    ['click:#a, delay:', [[click('#a')]], ['delay:']],
    ['click:#a, delay 900, exit', [[click('#a')], [exit]], ['delay 900']],
    ['visible:p, scroll:', [[visible('p')]], ['scroll:']],
    ['click:#a, intent:', [[click('#a')]], ['intent:']],
    ['click:#a,', [[click('#a')]], ['']],
    ['click:#a & delay:', [], ['click:#a&delay:']],
  ])('skips only the unknown and invalid alternatives of %s', (text, plan, skipped) => {
    expect(parseTriggers(text)).toEqual({ plan, skipped });
  });

  it.each([
    ['delay:3600001', 'delay'],
    ['inactivity:99999999999', 'inactivity'],
    [`delay:${'9'.repeat(400)}`, 'delay'],
  ])('reduces %s to an hour and reports it', (text, trigger) => {
    expect(parseTriggers(text)).toEqual({
      plan: [[{ trigger, delayMs: 3_600_000 }]],
      skipped: [],
      clamped: [text],
    });
    expect(parseTriggers(`exit & ${text}, click:h1`)).toMatchObject({ skipped: [], clamped: [text] });
  });

  it('returns an empty plan for an empty string', () => {
    expect(parseTriggers('')).toEqual({ plan: [], skipped: [] });
  });
});

describe('savedTriggers', () => {
  it.each([
    [{ trigger: 'exit' }, { trigger: 'exit' }],
    [{ trigger: 'delay' }, { trigger: 'delay', delayMs: 5000 }],
    [
      { trigger: 'inactivity', delayMs: 9 },
      { trigger: 'inactivity', delayMs: 9 },
    ],
    [{ trigger: 'scroll' }, { trigger: 'scroll', scrollPercent: 50 }],
    [
      { trigger: 'click', selector: '.a' },
      { trigger: 'click', selector: '.a' },
    ],
    [
      { trigger: 'intent', intentLevel: 'hot' },
      { trigger: 'intent', intentLevel: 'hot' },
    ],
  ] as const)('applies the default of %j', (popup, condition) => {
    expect(savedTriggers(popup)).toEqual([[expect.objectContaining(condition)]]);
  });

  it('reads the two conditions of all', () => {
    const and = [{ trigger: 'exit' as const }, { trigger: 'delay' as const, delayMs: 30_000 }];
    expect(savedTriggers({ trigger: 'all', and, delayMs: 1 })).toEqual([
      and.map((half) => expect.objectContaining(half)),
    ]);
  });

  it.each([{}, { trigger: 'all' }, { trigger: 'click' }] as const)(
    'returns an empty plan for %j',
    (popup) => {
      expect(savedTriggers(popup)).toEqual([]);
    },
  );
});
