import { createForm, openInbound, sendInbound } from '@svcforms/test-kit';
import type { Product } from '../stack.ts';

export function notificationStories(product: () => Product): void {
  describe('a form that names addresses for its notifications', () => {
    it('has each told once of every submission, from the web and inbound', async () => {
      const { client, visitor, mailServer } = product();
      const emails = ['one@team.example', 'two@team.example'];
      const form = await createForm(client, {
        name: 'Told\n<b>of</b>',
        settings: { notifications: { emails } },
      });
      const inbound = await openInbound(client, form.id);
      const hostile = '<img src=x onerror=alert(1)>\r\nBcc: eve@example.com';
      await sendInbound(client, inbound, { email: 'ada@example.com', message: hostile });
      await visitor.post(`/api/forms/${form.id}/submissions`, {
        body: { data: { email: 'bob@example.com', message: 'Hello' } },
        expect: 201,
      });
      const isOurs = ({ to }: { to: string[] }) => emails.includes(to[0] ?? '');
      const mails = await mailServer.waitFor(4, isOurs);
      expect(mails.map(({ to }) => to.join()).toSorted()).toEqual([...emails, ...emails].toSorted());
      for (const mail of mails) {
        expect(mail.subject).toBe('New submission: Told <b>of</b>');
        expect(mail.headerNames).not.toContain('bcc');
        expect(mail.html).not.toMatch(/<img|<b>/);
      }
      expect(mails.filter(({ text }) => text.includes('bob@example.com'))).toHaveLength(2);
      expect(mails.filter(({ text }) => text.includes('<img src=x onerror=alert(1)>'))).toHaveLength(2);
    });
  });
}
