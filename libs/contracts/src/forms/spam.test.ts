import { blockKind, SpamSettings } from './spam.ts';

describe('an entry of a block list', () => {
  it.each([
    ['spam@example.com', 'address'],
    ['example.com', 'domain'],
    ['@example.com', 'domain'],
    ['bücher.example', 'domain'],
    ['casino', 'word'],
    ['cheap pills', 'word'],
    ['v1.2', 'word'],
    ['3.5', 'word'],
    ['安い薬', 'word'],
    ['203.0.113.7', 'network'],
    ['203.0.113.0/24', 'network'],
    ['2001:db8::/32', 'network'],
    ['::1', 'network'],
    ['12:30', 'word'],
    ['203.0.113.0/33', undefined],
    ['999.0.0.1', undefined],
    ['2001:db8::/200', undefined],
    ['@nobody', undefined],
    ['a@b', undefined],
  ])('%j is of the kind %s', (entry, kind) => expect(blockKind(entry)).toBe(kind));
});

const pointerTo = (path: readonly PropertyKey[], code: string) =>
  `/${path.map(String).join('/')}${code === 'unrecognized_keys' ? 'level' : ''}`;

describe('the spam settings', () => {
  it('trim entries', () => {
    expect(SpamSettings.parse({ isEnabled: true, blockList: [' casino '] })).toEqual({
      isEnabled: true,
      blockList: ['casino'],
    });
  });

  it.each([
    [{}, ['/isEnabled']],
    [{ isEnabled: 'yes' }, ['/isEnabled']],
    [{ isEnabled: true, level: 3 }, ['/level']],
    [{ isEnabled: true, blockList: 'casino' }, ['/blockList']],
    [{ isEnabled: true, blockList: ['casino', '10.0.0.0/99', ' '] }, ['/blockList/1', '/blockList/2']],
    [{ isEnabled: true, blockList: ['x'.repeat(201)] }, ['/blockList/0']],
    [{ isEnabled: true, blockList: Array(1001).fill('casino') }, ['/blockList']],
  ])('%j are refused with pointers %j', (settings, pointers) => {
    const { error } = SpamSettings.safeParse(settings);
    expect(error?.issues.map(({ path, code }) => pointerTo(path, code))).toEqual(pointers);
  });
});
