import { createComposeMail } from './compose-mail.ts';
import type { MailRecord } from './mail-record.ts';

it('An email of a kind that only a newer version knows is not dropped: its composition fails, so that it is tried again', async () => {
  const compose = createComposeMail({ baseUrl: 'https://forms.example' } as Parameters<
    typeof createComposeMail
  >[0]);
  const mail = { _id: 'mail_1', accountId: 'acc_1', to: 'ada@example.com', subject: { kind: 'newer' } };
  await expect(compose(mail as unknown as MailRecord)).rejects.toThrow('no emails of the kind newer');
});
