import type { FormDefinition } from '@svcforms/contracts';
import { shortened, subjectOf, valueInWords, type Names } from './change-words.ts';
import { changesBetween } from '../draft/changes.ts';

const FORM: FormDefinition = {
  name: 'Order',
  fields: [
    { name: 'plan', type: 'radio', label: 'Your plan', options: [{ value: 't1', label: 'Team' }] },
    { name: 'note', type: 'textarea', label: 'Note' },
  ],
  settings: {},
};
const when = { all: [{ field: 'plan', op: 'eq' as const, value: 't1' }] };

/** The changes, each as `subject: before → after`. */
function wordsOf(after: FormDefinition, before = FORM): string[] {
  const names: Names = {
    fields: [...after.fields, ...before.fields],
    ofId: (id) => ({ usr_1: 'Ada', grp_1: 'Finance' })[id] ?? id,
  };
  return changesBetween(before, after).map((change) => {
    const sides = [change.before, change.after].filter((value) => value !== undefined);
    return `${subjectOf(change, names)}: ${sides.map((value) => valueInWords(change, value, names)).join(' → ')}`;
  });
}

describe('the words for a change', () => {
  it('are the labels of fields, options and types, and the operators of conditions', () => {
    const [plan, note] = FORM.fields as [FormDefinition['fields'][0], FormDefinition['fields'][0]];
    const fields = [
      { ...note, showIf: when, required: true },
      { ...plan, type: 'select' as const, options: [{ value: 't1', label: 'Team' }, { value: 's' }] },
    ];
    expect(wordsOf({ ...FORM, fields })).toEqual([
      'Field “Note” › Show when: “Your plan” is “Team”',
      'Field “Note” › Required: On',
      'Field “Your plan” › Type: Single choice → Dropdown',
      'Field “Your plan” › Options: Team (t1) → Team (t1), s',
      'Order of the fields: Your plan, Note → Note, Your plan',
    ]);
    expect(wordsOf({ ...FORM, fields: [plan] })).toEqual(['Field “Note”: Long text']);
  });

  it('are those of the screens for settings, and names for ids', () => {
    const settings: FormDefinition['settings'] = {
      popup: { enabled: true, trigger: 'delay', delayMs: 5000, devices: 'mobile' },
      placement: 'slide-in',
      tasks: { policy: { approvals: 'all', users: ['usr_1'], groups: ['grp_1'] }, remindAfterSeconds: 7200 },
      language: 'de',
      jumps: [{ from: 1, to: 'end', when }],
      endings: [{ name: 'sales', when, message: 'Thanks' }],
      translations: { fr: { fields: { note: { label: 'type' } }, submitLabel: 'Envoyer' } },
    };
    expect(wordsOf({ ...FORM, settings })).toEqual([
      'Popup › Enabled: On',
      'Popup › Trigger: Time on page',
      'Popup › Delay (seconds): 5',
      'Popup › Device targeting: Mobile only',
      'Display mode: Slide-in',
      'Tasks › Approvals › Required approvals: All reviewers',
      'Tasks › Approvals › Reviewers: Ada',
      'Tasks › Approvals › Groups: Finance',
      'Tasks › Reminder after (hours): 2',
      'Language: German',
      'Jumps between steps: Step 1 → End of the form (when “Your plan” is “Team”)',
      'Conditional endings: sales (when “Your plan” is “Team”): Message “Thanks”',
      'Translations › French › Fields › “Note” › Label: type',
      'Translations › French › Submit button label: Envoyer',
    ]);
  });

  it('are the property and its value for what a later version may add', () => {
    const settings = { ...FORM.settings, someOption: { a: [{ b: 1 }] } };
    expect(wordsOf({ ...FORM, settings })).toEqual(['Some option › A: [{"b":1}]']);
  });

  it('say what differs where both sides have the same label', () => {
    const [plan, note] = FORM.fields as [FormDefinition['fields'][0], FormDefinition['fields'][0]];
    const withOption = (value: string, label?: string) => ({
      ...FORM,
      fields: [{ ...plan, options: [{ value, ...(label && { label }) }] }, note],
    });
    expect(wordsOf(withOption('t2', 'Team'))).toEqual(['Field “Your plan” › Options: Team (t1) → Team (t2)']);
    expect(wordsOf(withOption('t1', 't1'), withOption('t1'))).toEqual([
      'Field “Your plan” › Options: [{"value":"t1"}] → [{"value":"t1","label":"t1"}]',
    ]);

    const withSettings = (settings: FormDefinition['settings']) => ({ ...FORM, settings });
    const exitAnd = (condition: object) =>
      withSettings({
        popup: { trigger: 'all', and: [{ trigger: 'exit' }, condition as { trigger: 'delay' }] },
      });
    expect(
      wordsOf(exitAnd({ trigger: 'delay', delayMs: 90_000 }), exitAnd({ trigger: 'delay', delayMs: 1000 })),
    ).toEqual(['Popup › Combination: Exit intent + Time on page, 1 s → Exit intent + Time on page, 90 s']);
    expect(
      wordsOf(
        exitAnd({ trigger: 'scroll', scrollPercent: 80 }),
        exitAnd({ trigger: 'click', selector: '#buy' }),
      ),
    ).toEqual(['Popup › Combination: Exit intent + Click, #buy → Exit intent + Scroll depth, 80%']);
    expect(
      wordsOf(exitAnd({ trigger: 'intent', intentLevel: 'hot' }), exitAnd({ trigger: 'intent' })),
    ).toEqual([
      'Popup › Combination: Exit intent + Engagement (intent) → Exit intent + Engagement (intent), Hot only',
    ]);

    const ending = (shown: object) => withSettings({ endings: [{ name: 'sales', when, ...shown }] });
    expect(wordsOf(ending({ message: 'Hi' }), ending({ title: 'Hi' }))).toEqual([
      'Conditional endings: sales (when “Your plan” is “Team”): Title “Hi” → sales (when “Your plan” is “Team”): Message “Hi”',
    ]);
    const page = (include: string[]) => withSettings({ popup: { pages: { include } } });
    expect(wordsOf(page(['/a', '/b']), page(['/a, /b']))).toEqual([
      'Popup › Page targeting › Include: ["/a, /b"] → ["/a","/b"]',
    ]);
  });

  it('are the trigger itself if this version does not know it', () => {
    const popup = { trigger: 'shake', and: [{ trigger: 'toString' }, { trigger: 'exit' }] };
    const settings = { popup } as unknown as FormDefinition['settings'];
    expect(wordsOf({ ...FORM, settings })).toEqual([
      'Popup › Trigger: shake',
      'Popup › Combination: toString + Exit intent',
    ]);
  });

  it('are the part of long texts that differs', () => {
    const same = 'a'.repeat(400);
    const context = 'a'.repeat(50);
    expect(shortened(`${same}b${same}`, `${same}c`)).toBe(`…${context}b${'a'.repeat(249)}…`);
    expect(shortened(`${same}c`, `${same}b${same}`)).toBe(`…${context}c`);
    expect(shortened(same, `${same}b`)).toBe(`…${context}`);
    expect(shortened(`b${same}`, same)).toBe(`b${'a'.repeat(299)}…`);
    expect(shortened('b', same)).toBe('b');
  });
});
