/** Groups in the settings, and the approvals of a form. */
export const groupsTexts = {
  title: 'Groups',
  about:
    'People who decide tasks together. Choose groups in the approvals of a form or in the policy of a task. A form can also be visible to its groups only.',
  empty: 'No groups yet. Create one for the people who decide the same tasks.',
  add: 'Create group',
  added: (name: string) => `Group “${name}” created.`,
  edit: 'Edit',
  editTitle: (name: string) => `Edit “${name}”`,
  remove: 'Delete',
  removeTitle: (name: string) => `Delete the group “${name}”?`,
  removeText: 'Pending tasks lose its members as reviewers. A group that a form uses can’t be deleted.',
  name: 'Name',
  members: 'Members',
  changed: 'Last updated',
  count: (members: number) => (members === 1 ? '1 member' : `${members} members`),
} as const;

export const approvalsTexts = {
  title: 'Approvals',
  about: 'Defaults for tasks on this form. The creator of a task never counts.',
  access: 'Groups that review this form',
  accessAbout:
    'Only reviewers in these groups see the form, its submissions and its tasks. Without groups, every reviewer does.',
  policy: 'Require specific reviewers or several approvals',
  approvals: 'Required approvals',
  all: 'All reviewers',
  users: 'Reviewers',
  groups: 'Groups',
  anybody: 'Without reviewers or groups, everyone who can decide tasks is a reviewer.',
  remind: 'Reminder after (hours)',
  escalate: 'Escalation after (hours)',
  escalateTo: 'Escalate to group',
  nobody: 'No escalation',
} as const;
