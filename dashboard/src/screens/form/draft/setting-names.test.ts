import type { FormField } from '@svcforms/contracts';
import { namePart } from './setting-names.ts';

const fields = [
  { name: 'email', type: 'email', label: 'Your email' },
  { name: 'note', type: 'textarea', label: ' ' },
] as FormField[];

describe('the name of a part of a form', () => {
  it.each([
    [['fields', '0', 'name'], '“Your email”'],
    [['fields', '1', 'name'], 'Field 2'],
    [['fields', '7'], 'Field 8'],
    [['fields'], 'Build'],
    [['title'], 'Build'],
    [['settings', 'theme', 'primary'], 'Build'],
    [['settings', 'popup', 'delayMs'], 'Display'],
    [['settings', 'translations', 'de', 'title'], 'Languages'],
    [['settings', 'retentionDays'], 'Settings'],
    [['settings', 'tasks', 'emitSubmissionEvents'], 'Settings'],
    [['settings', 'tasks', 'policy', 'groups', '0'], 'Build'],
  ])('%j is %s', (parts, name) => {
    expect(namePart(fields, parts)).toBe(name);
  });
});
