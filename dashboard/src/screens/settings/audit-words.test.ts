import { changeText, targetText } from './audit-words.ts';

const nameOf = (id: string) => ({ usr_1: 'Ada' })[id] ?? 'another user';

describe('the words of the audit log', () => {
  it.each([
    ['isEnabled', { from: true, to: false }, 'Enabled: Yes → No'],
    ['role', { from: 'reviewer', to: 'admin' }, 'Role: Reviewer → Admin'],
    ['status', { from: 'awaiting', to: 'approved' }, 'Status: Pending → Approved'],
    ['name', { from: 'approved', to: 'admin' }, 'Name: approved → admin'],
    ['members', { from: [], to: ['usr_1'] }, 'Members: none → Ada'],
    ['forms', { to: ['frm_1', 'frm_2'] }, 'Forms: 2 forms'],
    ['retentionDays', { from: 30, to: null }, 'Retention (days): 30 → none'],
    ['settings.allowedOrigins', {}, 'Allowed origins changed'],
    ['settings.someDay', {}, 'Some day changed'],
    ['password', {}, 'Password changed'],
  ])('say what changed in %s with %j: %s', (property, change, text) => {
    expect(changeText(property, change, nameOf)).toBe(text);
  });

  it('name the target, or say what it is', () => {
    expect(targetText({ type: 'form', id: 'frm_1', name: 'Contact' })).toBe('Contact');
    expect(targetText({ type: 'webhook', id: 'whk_01J9ZC3V6M8K', name: null })).toBe('Webhook …6M8K');
    expect(targetText({ type: 'new_thing', id: null, name: null })).toBe('New thing');
  });
});
