/** Groups in the settings, and the approvals of a form. */
export const groupsTexts = {
  title: 'Groups',
  about:
    'Groups of people who decide tasks. Choose them in the approvals of a form, also to limit who sees it, or in the policy of a task.',
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
  changed: 'Last change',
  count: (members: number) => (members === 1 ? '1 member' : `${members} members`),
} as const;

export const approvalsTexts = {
  title: 'Approvals',
  about: 'Defaults for tasks on this form. The creator of a task never counts.',
  access: 'Groups that review this form',
  accessAbout:
    'Other reviewers see neither the form nor its submissions and tasks. Without groups, every reviewer does.',
  policy: 'Only chosen reviewers decide, or several people must approve',
  approvals: 'Required approvals',
  all: 'All reviewers',
  users: 'Reviewers',
  groups: 'Groups',
  anybody: 'Without reviewers and groups, everyone who may decide tasks is one.',
  remind: 'Reminder after (hours)',
  escalate: 'Escalation after (hours)',
  escalateTo: 'Escalate to group',
  nobody: 'No escalation',
} as const;
