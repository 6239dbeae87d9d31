import { QueryClient } from '@tanstack/react-query';
import { atOnce, withoutIt } from './at-once.ts';

const A = { id: 'a', isOn: true };
const B = { id: 'b', isOn: true };

function cached(): QueryClient {
  const queryClient = new QueryClient();
  queryClient.setQueryData(['things'], [A, B]);
  queryClient.setQueryData(['things', 'a'], A);
  queryClient.setQueryData(['pages', 'q'], {
    pages: [{ data: [A] }, { data: [B] }],
    pageParams: [undefined, 'x'],
  });
  queryClient.setQueryData(['others'], [A]);
  return queryClient;
}

describe('atOnce', () => {
  it('changes an entry in records, lists and pages, and restores them after a failure', async () => {
    const queryClient = cached();
    const callbacks = atOnce<typeof A, { id: string }>(
      queryClient,
      [['things'], ['pages']],
      (entry, { id }) => (entry.id === id ? { ...entry, isOn: false } : entry),
    );
    const before = await callbacks.onMutate({ id: 'a' });
    expect(queryClient.getQueryData(['things'])).toEqual([{ ...A, isOn: false }, B]);
    expect(queryClient.getQueryData(['things', 'a'])).toEqual({ ...A, isOn: false });
    expect(queryClient.getQueryData(['pages', 'q'])).toEqual({
      pages: [{ data: [{ ...A, isOn: false }] }, { data: [B] }],
      pageParams: [undefined, 'x'],
    });
    expect(queryClient.getQueryData(['others'])).toEqual([A]);
    callbacks.onError(new Error('refused'), { id: 'a' }, before);
    expect(queryClient.getQueryData(['things'])).toEqual([A, B]);
    expect(queryClient.getQueryData(['things', 'a'])).toEqual(A);
    expect(queryClient.getQueryData(['pages', 'q'])).toMatchObject({ pages: [{ data: [A] }, { data: [B] }] });
  });

  it('removes an entry from lists, and keeps its record', async () => {
    const queryClient = cached();
    await atOnce<typeof A, typeof A>(queryClient, [['things'], ['pages']], withoutIt).onMutate(A);
    expect(queryClient.getQueryData(['things'])).toEqual([B]);
    expect(queryClient.getQueryData(['pages', 'q'])).toMatchObject({ pages: [{ data: [] }, { data: [B] }] });
    expect(queryClient.getQueryData(['things', 'a'])).toEqual(A);
  });
});
