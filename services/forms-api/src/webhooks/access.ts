/** Who may manage the webhooks of a form. */
export const manageWebhooks = { scope: 'forms:webhooks:manage' } as const;
/** Who may manage those of the account, which get the events of every form. */
export const manageAccountWebhooks = { ...manageWebhooks, allForms: true } as const;
