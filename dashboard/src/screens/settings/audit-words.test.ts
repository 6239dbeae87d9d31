import { changeText, idText, targetText } from './audit-words.ts';

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

  it.each([
    ['password', {}, 'user.created', 'Password set'],
    ['password', {}, 'invitation.accepted', 'Password set'],
    ['password', {}, 'user.updated', 'Password changed'],
    ['password', {}, 'user.password_reset', 'Password changed'],
    ['url', { to: 'a.example' }, 'webhook.created', 'Endpoint URL on a.example'],
    [
      'url',
      { from: 'a.example', to: 'a.example' },
      'webhook.updated',
      'Endpoint URL changed, still on a.example',
    ],
    [
      'url',
      { from: 'a.example', to: 'b.example' },
      'webhook.updated',
      'Endpoint URL moved from a.example to b.example',
    ],
  ])('say what happened to %s with %j in %s: %s', (property, change, action, text) => {
    expect(changeText(property, change, nameOf, action)).toBe(text);
  });

  it.each([
    ['task', { name: 'Refund' }, 'Refund'],
    ['task', {}, 'Untitled task'],
    ['task', null, 'Task …6M8K'],
    ['webhook', { name: 'a.example' }, 'a.example'],
    ['delivery', { name: 'a.example' }, 'Delivery to a.example'],
    ['delivery', {}, 'Delivery …6M8K'],
    ['delivery', null, 'Delivery …6M8K'],
    ['submission', { formName: 'Contact' }, 'Submission to Contact'],
    ['submission', null, 'Submission …6M8K'],
    ['inbound', { name: 'Shop' }, 'Shop'],
  ])('name a %s that is now %j: %s', (type, now, text) => {
    const resource = now && { name: null, formId: null, formName: null, webhookId: null, ...now };
    expect(targetText({ type, id: 'xxx_01J9ZC3V6M8K', name: null }, resource)).toBe(text);
  });

  it('name an id by what it is of', () => {
    expect(idText('tsk_01J9ZC3V6M8K')).toBe('Task …6M8K');
    expect(idText('from elsewhere')).toBe('from elsewhere');
  });

  it('name the target, or say what it is', () => {
    expect(targetText({ type: 'form', id: 'frm_1', name: 'Contact' })).toBe('Contact');
    expect(targetText({ type: 'webhook', id: 'whk_01J9ZC3V6M8K', name: null })).toBe('Webhook …6M8K');
    expect(targetText({ type: 'new_thing', id: null, name: null })).toBe('New thing');
  });
});
