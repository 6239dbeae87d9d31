import type { FormRecord, SubmissionRecord } from '@svcforms/records';
import { timersTurn } from '@svcforms/test-kit';
import { mailContents } from './mail-contents.ts';

describe('an email about a submission', () => {
  it('is composed in linear time if a long list of options was chosen', async () => {
    const values = Array.from({ length: 150_000 }, (_, n) => `v${n}`);
    const options = values.map((value) => ({ value, label: `Option ${value}` }));
    const form = { name: 'Order', fields: [{ name: 'many', type: 'checkboxes', options }] };
    const submission = {
      _id: 'sub_1',
      data: JSON.stringify({ many: values }),
      metadata: { submittedVia: 'web' },
      createdAt: '2026-03-14T09:26:53.589Z',
    };
    const { rows } = mailContents('https://forms.example').submission(
      form as unknown as FormRecord,
      submission as SubmissionRecord,
    );
    expect(rows[0]?.[1]).toMatch(/^Option v0, Option v1, /);
    await timersTurn();
  }, 20_000);
});
