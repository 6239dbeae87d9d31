import type { FormRecord, SubmissionRecord, TaskNotice, TaskRecord } from '@svcforms/records';
import { timersTurn } from '@svcforms/test-kit';
import { mailContents } from './mail-contents.ts';
import { taskNoticeContents } from './task-notice-contents.ts';

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

describe('emails about a task', () => {
  const baseUrl = 'https://forms.example';
  const url = `${baseUrl}/tasks/tsk_1`;
  const form = { name: 'Refund' } as FormRecord;
  const NOTICES: TaskNotice['kind'][] = [
    'reminder',
    'escalation',
    'nobody_to_escalate',
    'delegation',
    'blocked',
    'approve_again',
  ];

  it.each([
    ['expire', 'Expires', 'expires'],
    ['approve', 'Approved automatically', 'is approved automatically'],
    ['reject', 'Rejected automatically', 'is rejected automatically'],
  ] as const)('say what happens without a decision if onExpiry is %s', (onExpiry, label, verb) => {
    const expiresAt = '2026-03-14T09:26:53.589Z';
    const task = {
      _id: 'tsk_1',
      title: 'Refund 120 €?',
      priority: 'high',
      expiresAt,
      onExpiry,
    } as TaskRecord;
    const created = mailContents(baseUrl).task(form, task, { url, why: 'you asked for it' });
    expect(created.paragraphs[0]).toBe(`Log in and decide it at ${url} before it ${verb}.`);
    expect(created.rows).toContainEqual([label, 'Mar 14, 2026, 09:26 UTC']);
    for (const kind of NOTICES) {
      const { paragraphs, rows } = taskNoticeContents(baseUrl).taskNotice(form, task, { kind, url });
      expect(paragraphs[1]).toBe(
        `The task belongs to the form "Refund" and ${verb} on Mar 14, 2026, 09:26 UTC.`,
      );
      expect(rows).toContainEqual([label, 'Mar 14, 2026, 09:26 UTC']);
      if (onExpiry !== 'expire') expect([paragraphs, rows].join()).not.toMatch(/expires/i);
    }
  });
});
