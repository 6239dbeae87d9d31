import type { FormSettings } from '@svcforms/contracts';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { SUBMISSIONS, type SubmissionRecord } from '../collections/submission.ts';
import { createSeats, type Seats } from './seats.ts';

const LIMITED_SINCE = '2026-03-14T09:00:00.000Z';

/** Processes that accept submissions of one form in the same store. */
async function openForm(closing: NonNullable<FormSettings['closing']>) {
  const clock = { now: Date.parse(LIMITED_SINCE) + 60_000 };
  const { store } = openEmbeddedPair({ now: () => clock.now });
  const submissions = store.collection<SubmissionRecord>(SUBMISSIONS);
  await store.ensureIndexes();
  const form = { _id: 'frm_1', settings: { closing }, limitedSince: LIMITED_SINCE };
  const start = () => createSeats({ submissions, now: () => clock.now });
  let next = 0;

  const accept = (seats: Seats, { fails = false } = {}) =>
    seats
      .take(form, async ({ seat }) => {
        // Like a process that dies, or a store that can't be reached.
        if (fails) throw new Error('down');
        await submissions.insertOne({
          _id: `sub_${next++}`,
          accountId: 'acc_1',
          formId: form._id,
          data: '{}',
          metadata: { submittedVia: 'web' },
          createdAt: new Date(clock.now).toISOString(),
          ...(seat !== undefined && { seat }),
        });
        return 'accepted';
      })
      .catch((error: Error & { code?: string }) => error.code ?? error.message);

  return {
    clock,
    form,
    submissions,
    start,
    accept,
    limitTo: (maxSubmissions: number) => (form.settings.closing = { maxSubmissions }),
    /** Deletes the submissions in these seats, counted from 0. */
    free: async (...seats: number[]) => {
      const taken = await submissions.find({}, { sort: ['seat'] });
      for (const n of seats) await submissions.deleteOne({ _id: taken[n]?._id ?? '' });
    },
    count: () => submissions.count({ formId: form._id }),
    /** Stores submissions from before the limit: `sub_early_0` and so on. */
    addEarlier: async (...vias: SubmissionRecord['metadata']['submittedVia'][]) => {
      for (const [n, submittedVia] of vias.entries()) {
        await submissions.insertOne({
          _id: `sub_early_${n}`,
          accountId: 'acc_1',
          formId: form._id,
          data: '{}',
          metadata: { submittedVia },
          createdAt: '2026-03-01T00:00:00.000Z',
        });
      }
    },
  };
}

describe('the seats of a form', () => {
  it('are as many as its maximum, over three processes and with requests that fail', async () => {
    const { start, accept, count } = await openForm({ maxSubmissions: 50 });
    const processes = [start(), start(), start()] as const;
    const all = await Promise.all(
      Array.from({ length: 300 }, (_, n) => accept(processes[n % 3] as Seats, { fails: n % 7 === 0 })),
    );
    const accepted = all.filter((outcome) => outcome === 'accepted').length;
    expect(accepted).toBe(await count());
    // What failed has left gaps, which another process fills.
    const rest = await Promise.all(Array.from({ length: 60 }, () => accept(start())));
    expect(rest.filter((outcome) => outcome === 'accepted')).toHaveLength(50 - accepted);
    expect(new Set(rest)).toContain('FORM_CLOSED');
    expect(await count()).toBe(50);
  });

  it('are free again after deletions, in every process', async () => {
    const { start, accept, count, free, clock } = await openForm({ maxSubmissions: 10 });
    const [one, other] = [start(), start()];
    for (let n = 0; n < 12; n++) await accept(n % 2 ? one : other);
    await free(0, 4, 9);
    expect(await accept(one)).toBe('FORM_CLOSED');
    clock.now += 1_100;
    const all = await Promise.all(Array.from({ length: 8 }, (_, n) => accept(n % 2 ? one : other)));
    expect(all.filter((outcome) => outcome === 'accepted')).toHaveLength(3);
    expect(await count()).toBe(10);
  });

  it('are free again after deletions while the clock is set back by a day', async () => {
    const { start, accept, free, clock } = await openForm({ maxSubmissions: 2 });
    const seats = start();
    for (let n = 0; n < 3; n++) await accept(seats);
    clock.now -= 24 * 3_600_000;
    await free(0);
    expect(await accept(seats)).toBe('accepted');
  });

  it('follow a maximum that is lowered below seats that are taken', async () => {
    const { start, accept, count, free, limitTo } = await openForm({ maxSubmissions: 8 });
    const seats = start();
    for (let n = 0; n < 8; n++) await accept(seats);
    // The seats 1 to 5 are free, 6 to 8 are taken.
    await free(0, 1, 2, 3, 4);
    limitTo(4);
    const all = await Promise.all(Array.from({ length: 5 }, () => accept(seats)));
    expect(all.filter((outcome) => outcome === 'accepted')).toHaveLength(1);
    expect(await count()).toBe(4);
  });

  it('leave out earlier submissions, but not those of tasks', async () => {
    const { start, accept, count, addEarlier } = await openForm({ maxSubmissions: 5 });
    await addEarlier('web', 'inbound', 'task');
    const seats = start();
    for (let n = 0; n < 6; n++) await accept(seats);
    expect(await count()).toBe(3 + 3);
    expect(await seats.isOpen({ _id: 'frm_1', settings: { closing: { maxSubmissions: 5 } } })).toBe(false);
  });

  it('are free again after the deletion of an earlier submission', async () => {
    const { start, accept, addEarlier, submissions, clock } = await openForm({ maxSubmissions: 2 });
    await addEarlier('web', 'inbound');
    const seats = start();
    expect(await accept(seats)).toBe('FORM_CLOSED');
    await submissions.deleteOne({ _id: 'sub_early_0' });
    clock.now += 1_100;
    expect([await accept(seats), await accept(seats)]).toEqual(['accepted', 'FORM_CLOSED']);
  });

  it('of a full form are counted once for many requests, and rarely if that takes long', async () => {
    const { form, accept, addEarlier, submissions, clock } = await openForm({ maxSubmissions: 2 });
    await addEarlier('web', 'inbound');
    let counts = 0;
    let durationMs = 0;
    const counted: Parameters<typeof createSeats>[0]['submissions'] = {
      find: (filter, options) => submissions.find(filter, options),
      count: (filter) => {
        counts += 1;
        clock.now += durationMs;
        return submissions.count(filter);
      },
    };
    const seats = createSeats({ submissions: counted, now: () => clock.now });
    const request = async () => {
      expect(await seats.isOpen(form)).toBe(false);
      expect(await accept(seats)).toBe('FORM_CLOSED');
    };
    for (let n = 0; n < 20; n++) await request();
    expect(counts).toBe(1);
    clock.now += 1_100;
    durationMs = 500;
    for (let n = 0; n < 20; n++) {
      await request();
      clock.now += 2_000;
    }
    expect(counts).toBe(2);
  });

  it('are unlimited without a maximum', async () => {
    const { start, accept, submissions } = await openForm({});
    expect(await accept(start())).toBe('accepted');
    expect(await submissions.findOne({ _id: 'sub_0' })).not.toHaveProperty('seat');
  });
});
