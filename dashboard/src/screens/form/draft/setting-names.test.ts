import type { FormDefinition } from '@svcforms/contracts';
import { ApiError } from '../../../api/api-error.ts';
import { buildSectionOf, draftErrors, namePart } from './setting-names.ts';

const form: Partial<FormDefinition> = {
  fields: [
    { name: 'email', type: 'email', label: 'Your email' },
    { name: 'note', type: 'textarea', label: ' ' },
    { name: ' ', type: 'divider' },
  ],
  settings: {
    notifications: { emails: ['ada@example.com', 'nope'] },
    tasks: { policy: { approvals: 1, groups: ['grp_00000000000000000000000000'] } },
  },
};

describe('the name of a part of a form', () => {
  it.each([
    [['fields', '0', 'name'], '“Your email”'],
    [['fields', '1', 'help'], '“note”'],
    [['fields', '2', 'name'], 'Field 3'],
    [['fields', '7'], 'Field 8'],
    [['fields'], 'Build'],
    [['title'], 'Build, Form details'],
    [['settings', 'theme', 'primary'], 'Build, Theme'],
    [['settings', 'thankYou', 'redirectUrl'], 'Build, Submit button and thank-you page'],
    [['settings', 'unknown'], 'Build'],
    [['settings', 'popup', 'delayMs'], 'Display'],
    [['settings', 'translations', 'de', 'title'], 'Languages'],
    [['settings', 'retentionDays'], 'Settings'],
    [['settings', 'notifications', 'emails'], 'Settings'],
    [['settings', 'notifications', 'emails', '1'], 'Settings, “nope”'],
    [['settings', 'tasks', 'emitSubmissionEvents'], 'Settings'],
    [['settings', 'tasks', 'policy', 'groups', '0'], 'Build, Approvals'],
  ])('%j is %s', (parts, name) => {
    expect(namePart(form, parts)).toBe(name);
  });
});

describe('the section of the Build screen', () => {
  it.each([
    [['settings', 'tasks', 'policy'], 'approvals'],
    [['settings', 'tasks', 'emitSubmissionEvents'], undefined],
    [['fields', '0', 'name'], undefined],
  ])('of %j is %s', (parts, section) => {
    expect(buildSectionOf(parts)).toBe(section);
  });
});

describe('the errors of a draft', () => {
  it('name the line that has them', () => {
    const error = new ApiError({
      errors: [
        { pointer: '/settings/notifications/emails/1', message: 'must be an email address' },
        { pointer: '/settings/retentionDays', message: 'must be a number' },
      ],
    });
    expect(draftErrors(error, form)).toEqual({
      'settings.notifications.emails.1': '“nope”: Must be an email address',
      'settings.retentionDays': 'Must be a number',
    });
  });
});
