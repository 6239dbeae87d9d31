import { lossyText } from './lossy-text.ts';

describe('lossyText', () => {
  it.each<[string, string | number[], number, string]>([
    ['is empty for nothing', '', 10, ''],
    ['keeps text that fits', 'größer', 8, 'größer'],
    ['cuts what does not fit', 'abcdef', 3, 'abc'],
    ['leaves out a character that the cut went through', 'ab€d', 4, 'ab'],
    ['leaves out a character that the end went through', [0x61, 0xe2, 0x82], 10, 'a'],
    ['replaces what is not UTF-8', [0x61, 0xff, 0x62], 10, 'a\ufffdb'],
    ['counts a replacement as its three bytes', [0xff, 0xff, 0xff], 3, '\ufffd'],
    ['cuts no replacement in two', [0xff, 0xff, 0xff], 5, '\ufffd'],
  ])('%s', (_what, input, maxBytes, expected) => {
    const text = lossyText(Buffer.from(input as string), maxBytes);

    expect(text).toBe(expected);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
  });
});
