import { followRenames, withNewOption, withPasted, type CalledOption } from './option-edits.ts';

/** Options as `value<called`, or only a value that the form calls the same. */
const options = (...list: string[]): CalledOption[] =>
  list.map((one) => {
    const [value = '', called = value] = one.split('<');
    return { option: { value }, called };
  });
const written = (list: readonly CalledOption[]) =>
  list.map(({ option, called }) => (option.value === called ? called : `${option.value}<${called}`));

describe('what a form calls options', () => {
  it.each([
    ['is a new value', ['c<a', 'b'], ['c', 'b'], { a: 'c' }],
    ['stays while the value is empty', ['<a', 'c<b'], ['<a', 'c'], { b: 'c' }],
    ['stays while another one has the value', ['b<a', 'b'], ['b<a', 'b'], {}],
    ['stays while an empty one is called so', ['<a', 'a<b'], ['<a', 'a<b'], {}],
    ['follows as soon as the other one changes', ['b<a', 'c<b'], ['b', 'c'], { a: 'b', b: 'c' }],
    ['swaps', ['b<a', 'a<b'], ['b', 'a'], { a: 'b', b: 'a' }],
    ['starts with the first value', ['a<', 'b'], ['a', 'b'], {}],
  ])('%s', (_, edited, called, values) => {
    const now = followRenames(options(...edited));
    expect([written(now.called), Object.fromEntries(now.values)]).toEqual([called, values]);
  });
});

describe('a new option', () => {
  it('has a value that no other one has', () => {
    expect(written(withNewOption(options('option-1', 'option-3')))).toEqual([
      'option-1',
      'option-3',
      'option-4',
    ]);
  });
});

describe('a pasted text', () => {
  const paste = (list: string[], text: string, range: [number, number]) => {
    const pasted = withPasted(options(...list), 0, text, range);
    return pasted && written(pasted);
  };

  it.each([
    ['replaces the selection', ['a', 'z'], [0, 1], ['x<a', 'y', 'z']],
    ['starts at the cursor', ['a', 'z'], [1, 1], ['ax<a', 'y', 'z']],
    ['replaces the value of a new option', ['option-1'], [0, 0], ['x<option-1', 'y']],
    ['replaces a new option after others were deleted', ['option-2'], [0, 0], ['x<option-2', 'y']],
    ['adds no value that another option has', ['a', 'y'], [0, 1], ['x<a', 'y']],
    ['starts with the first line that no other option has', ['a', 'x'], [0, 1], ['y<a', 'x']],
    ['changes nothing if other options have all lines', ['a', 'x', 'y'], [0, 1], ['a', 'x', 'y']],
  ] as const)('%s', (_, list, [start, end], expected) => {
    expect(paste([...list], '\tx \r\n\r\ny\ny\n', [start, end])).toEqual(expected);
  });

  it('of one line is no list', () => {
    expect(paste(['a'], 'x\n', [0, 1])).toBeUndefined();
  });
});
