import type { FormOut, SubmissionOut } from '@svcforms/contracts';
import { createForm, poll } from '@svcforms/test-kit';
import type { Page } from 'playwright-core';
import type { Product } from '../../e2e/stack.ts';
import type { Fixture } from '../fixture.ts';

const SCRIPTED = 1_000;
/** All of these visitors' work is done by one machine. A run by hand takes 200. */
const SESSIONS = Number(process.env['SPAM_SESSIONS'] ?? 60);
/** Pages and requests at the same time. */
const PARALLEL = 4;

const FIELDS = [
  { name: 'name', type: 'text', label: 'Name' },
  { name: 'email', type: 'email', label: 'E-mail', required: true },
] as const;

/** How people fill in a form. All but the last are faster than the service expects. */
const PEOPLE: readonly ((page: Page, email: string) => Promise<void>)[] = [
  // Types and presses Enter.
  async (page, email) => {
    await page.getByLabel('Name').focus();
    await page.keyboard.type('Ada');
    await page.keyboard.press('Tab');
    await page.keyboard.type(email);
    await page.keyboard.press('Enter');
  },
  // Autofill sets all values at once, without keys.
  async (page, email) => {
    await page.evaluate((value) => {
      const inputs = document
        .querySelector('svc-form')
        ?.shadowRoot?.querySelectorAll<HTMLInputElement>('.text');
      for (const [index, input] of [...(inputs ?? [])].entries()) {
        input.value = index === 0 ? 'Ada' : value;
        for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
      }
    }, email);
    await page.locator('.primary').click();
  },
  // Pastes with the mouse.
  async (page, email) => {
    await page.getByLabel('E-mail').click();
    await page.keyboard.insertText(email);
    await page.locator('.primary').click();
  },
];

/** Forms with spam protection. docs/reference/forms.md#spam-protection */
export function spamScenarios(fixture: () => Fixture, product: () => Product): void {
  const quarantined = { spam: { isEnabled: true } };
  const list = async (form: FormOut, status: SubmissionOut['status']): Promise<SubmissionOut[]> => {
    const found: SubmissionOut[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const path: string = `/api/forms/${form.id}/submissions?status=${status}&limit=100${cursor && `&cursor=${cursor}`}`;
      const { body } = await fixture().client.get<SubmissionOut[]>(path, { expect: 200 });
      found.push(...body.data);
      cursor = body.pagination.nextCursor;
    }
    return found;
  };
  /** Runs `work` for each number, some at the same time. */
  const each = async (count: number, work: (n: number) => Promise<unknown>) => {
    let next = 0;
    const worker = async () => {
      while (next < count) await work(next++);
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
  };

  describe('spam protection', () => {
    it(`quarantines ${SCRIPTED} scripted submissions with a reason`, async () => {
      const form = await createForm(fixture().client, { fields: FIELDS, settings: quarantined });
      const { visitor } = product();
      const path = `/api/forms/${form.id}/submissions`;
      const recorded = (await visitor.get<{ token: string }>(`/api/forms/${form.id}/submission-token`)).body
        .data;
      const browser = {
        origin: 'https://www.example.com',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0',
        'accept-language': 'en',
        'sec-fetch-mode': 'cors',
      };
      const scripts = [
        async () => ({}),
        async () => ({ hp: '', elapsedMs: 60_000, metadata: { language: 'en' } }),
        async () => ({ elapsedMs: 12_345, token: recorded.token }),
        async () => ({ elapsedMs: 9_000, token: recorded.token, proof: btoa('{"number":1}') }),
        // Gets a token for each submission, and claims that it took time.
        async () => {
          const { body } = await visitor.get<{ token: string }>(`/api/forms/${form.id}/submission-token`, {
            headers: browser,
          });
          return { elapsedMs: 60_000, token: body.data.token };
        },
      ];
      await each(SCRIPTED, async (n) => {
        const more = await scripts[n % scripts.length]?.();
        const body = { data: { email: `bot${n}@example.com` }, page: 'https://www.example.com/', ...more };
        await visitor.post(path, { body, headers: n % 2 ? browser : {}, expect: 201 });
      });
      const found = await list(form, 'quarantined');
      expect(found.filter(({ quarantineReason }) => quarantineReason).length).toBeGreaterThanOrEqual(
        SCRIPTED * 0.99,
      );
    }, 120_000);

    it(`accepts all of ${SESSIONS} browser sessions, fast ones too`, async () => {
      const form = await createForm(fixture().client, { fields: FIELDS, settings: quarantined });
      const visits = await Promise.all(
        Array.from({ length: PARALLEL }, async () => {
          const visit = await fixture().visit({ form, fakeClock: false, body: '<h1>x</h1>' });
          return { ...visit, isFree: true };
        }),
      );
      await each(SESSIONS, async (n) => {
        const visit = visits.find(({ isFree }) => isFree);
        if (!visit) throw new Error('every page is busy');
        visit.isFree = false;
        const { page } = visit;
        await page.reload();
        await page.waitForSelector('form');
        await PEOPLE[n % PEOPLE.length]?.(page, `person${n}@example.com`);
        await page.waitForSelector('.done');
        visit.isFree = true;
      });
      expect((await list(form, 'quarantined')).map(({ quarantineReason }) => quarantineReason)).toEqual([]);
      expect(await list(form, 'accepted')).toHaveLength(SESSIONS);
      expect(visits.flatMap(({ problems }) => problems)).toEqual([]);
    }, 240_000);

    it('gets a token when the visitor begins, and another one after an error, under a strict policy', async () => {
      const visit = await fixture().visit({
        fields: [...FIELDS],
        settings: quarantined,
        fakeClock: false,
        body: '<h1>x</h1>',
        headers: {
          // The strictest policy that shows forms: docs/reference/embed.md#content-security-policy
          'Content-Security-Policy': `default-src 'none'; script-src ${fixture().baseUrl}; connect-src ${fixture().baseUrl}`,
        },
      });
      const { page, requests, problems } = visit;
      const tokens = () => requests.filter((request) => request.endsWith('/submission-token')).length;
      await page.waitForSelector('form');
      expect(tokens()).toBe(0);
      let isDown = true;
      await page.route('**/submissions', (route) => (isDown ? route.abort() : route.continue()));
      await page.getByLabel('E-mail').fill('ada@example.com');
      await page.locator('.primary').click();
      await page.locator('.whole:not(:empty)').waitFor();
      expect(tokens()).toBe(1);
      isDown = false;
      await page.getByLabel('E-mail').fill('ada2@example.com');
      await page.locator('.primary').click();
      await page.waitForSelector('.done');
      expect(tokens()).toBe(2);
      expect((await list(visit.form, 'accepted')).map(({ data }) => data['email'])).toEqual([
        'ada2@example.com',
      ]);
      expect(problems.filter((problem) => /policy/i.test(problem))).toEqual([]);
    });

    it.each(['submission-token', 'proof'])(
      'accepts an unchanged retry by a visitor who was offline, without the %s',
      async (missing) => {
        const { page, form } = await fixture().visit({
          fields: [...FIELDS],
          settings: quarantined,
          fakeClock: false,
          body: '<h1>x</h1>',
        });
        const lost = new RegExp(`/submissions$|/${missing}`);
        await page.route(lost, (route) => route.abort());
        await page.getByLabel('E-mail').fill('ada@example.com');
        await page.locator('.primary').click();
        await page.locator('.whole:not(:empty)').waitFor();
        await page.unroute(lost);
        await page.locator('.primary').click();
        await page.waitForSelector('.done');
        expect(await list(form, 'quarantined')).toEqual([]);
        expect(await list(form, 'accepted')).toHaveLength(1);
      },
    );

    it('gets another token for an unchanged retry an hour later', async () => {
      const visit = await fixture().visit({ fields: [...FIELDS], settings: quarantined, body: '<h1>x</h1>' });
      const { page, form, context } = visit;
      const sent: { token?: string }[] = [];
      let isDown = true;
      await page.route('**/submissions', (route) => {
        sent.push(route.request().postDataJSON() as { token?: string });
        return isDown ? route.abort() : route.continue();
      });
      await page.getByLabel('E-mail').fill('ada@example.com');
      const fail = async (count: number) => {
        await page.locator('.primary').click();
        await poll(() => sent.length === count, { what: `request ${count}` });
        await page.locator('.whole:not(:empty)').waitFor();
      };
      await fail(1);
      await context.clock.fastForward('59:00');
      await fail(2);
      await context.clock.fastForward('02:00');
      isDown = false;
      await page.locator('.primary').click();
      await page.waitForSelector('.done');
      const [first, second, third] = sent.map(({ token }) => token);
      expect(second).toBe(first);
      expect(third).toEqual(expect.any(String));
      expect(third).not.toBe(first);
      expect(await list(form, 'accepted')).toHaveLength(1);
    });

    it('stores submissions of visitors who can’t get a token', async () => {
      const visit = await fixture().visit({
        fields: [...FIELDS],
        settings: quarantined,
        fakeClock: false,
        body: '<h1>x</h1>',
      });
      await visit.page.route('**/submission-token', (route) => route.abort());
      await visit.page.getByLabel('E-mail').fill('ada@example.com');
      await visit.page.locator('.primary').click();
      await visit.page.waitForSelector('.done');
      expect((await list(visit.form, 'quarantined')).map((each) => each.quarantineReason)).toEqual([
        'no_token',
      ]);
    });

    it('loads nothing for forms without it', async () => {
      const visit = await fixture().visit({ fields: [...FIELDS], fakeClock: false, body: '<h1>x</h1>' });
      await visit.page.getByLabel('E-mail').fill('ada@example.com');
      await visit.page.locator('.primary').click();
      await visit.page.waitForSelector('.done');
      expect(visit.requests.filter((request) => /token|proof/.test(request))).toEqual([]);
    });
  });
}
