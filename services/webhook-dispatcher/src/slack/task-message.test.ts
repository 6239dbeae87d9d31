import type { FormRecord, TaskRecord } from '@svcforms/records';
import { taskMessage } from './task-message.ts';

/** The sections of the message about a task with these fields and values. */
function sectionsOf(fields: object[], prefill: Record<string, unknown>): string[] {
  const form = { _id: 'frm_1', name: 'Refund', fields, settings: {} } as unknown as FormRecord;
  const task = {
    _id: 'tsk_1',
    status: 'awaiting',
    decisionMode: 'form',
    prefill: JSON.stringify(prefill),
    expiresAt: '2026-03-14T09:26:53.589Z',
    onExpiry: 'expire',
  } as unknown as TaskRecord;
  const { blocks } = taskMessage(form, task, {
    baseUrl: 'https://forms.example',
    secretBox: { seal: String },
  });
  return (blocks as { type: string; text?: { text: string } }[])
    .filter(({ type }) => type === 'section')
    .map(({ text }) => text?.text ?? '');
}

describe('the values in a message of Slack', () => {
  it('have the labels that emails have: without markup, and names in place of blank ones and consents', () => {
    const fields = [
      { name: 'amount', type: 'number', label: ' ' },
      { name: 'terms', type: 'checkbox', label: 'I read the [terms](https://example.com/terms)' },
      { name: 'agreed', type: 'consent', label: 'I agree to be called.' },
    ];
    const [values = ''] = sectionsOf(fields, { amount: 4000, terms: true, agreed: true });
    expect(values.split('\n')).toEqual(['amount: 4000', 'I read the terms: Yes', 'agreed: Yes']);
  });

  it('are shown as in emails, and as JSON if they have line breaks', () => {
    const options = [
      { value: 't1', label: 'Team plan' },
      { value: 't2', label: 'Solo plan\nAmount: 5' },
    ];
    const fields = [
      { name: 'plan', type: 'select', options },
      { name: 'extras', type: 'checkboxes', options },
      { name: 'urgent', type: 'checkbox' },
      { name: 'agreed', type: 'consent', label: 'I agree to be called.' },
      { name: 'note', type: 'textarea' },
    ];
    const agreed = { accepted: true, text: 'I agree to be called.' };
    const values = { plan: 't1', extras: ['t1', 't2'], urgent: false, agreed, note: 'x\nAmount: 5' };
    expect(sectionsOf(fields, values)[0]?.split('\n')).toEqual([
      'plan: Team plan',
      'extras: "Team plan, Solo plan\\nAmount: 5"',
      'urgent: No',
      'agreed: Accepted: I agree to be called.',
      'note: "x\\nAmount: 5"',
    ]);
  });

  it('never begin a section in the middle of a value without a mark', () => {
    const note = `${'x'.repeat(1_450 - 'note: '.length)}Amount: 5 €`;
    const sections = sectionsOf([{ name: 'note', type: 'textarea' }], { note });
    expect(sections).toHaveLength(2);
    expect(sections[1]).toBe('…Amount: 5 €');
  });
});
