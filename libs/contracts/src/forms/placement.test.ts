import { checkPlacement, isPopup, PLACEMENTS, type Position } from './placement.ts';

const popup = { enabled: true };

describe('checkPlacement', () => {
  it('accepts every placement of a popup, and inline without one', () => {
    for (const placement of PLACEMENTS) expect(checkPlacement({ placement, popup })).toEqual([]);
    for (const settings of [{}, { popup }, { placement: 'inline' as const }]) {
      expect(checkPlacement(settings)).toEqual([]);
    }
  });

  it.each(['modal', 'slide-in', 'bar', 'fullscreen'] as const)(
    'refuses %s without popup mode',
    (placement) => {
      for (const off of [undefined, {}, { enabled: false }]) {
        expect(checkPlacement({ placement, popup: off })).toEqual([
          { pointer: '/settings/placement', message: expect.stringContaining('settings.popup.enabled') },
        ]);
      }
    },
  );

  it.each<[Parameters<typeof checkPlacement>[0]['placement'], Position[], Position[]]>([
    ['slide-in', ['bottom-right', 'bottom-left', 'top-right', 'top-left'], ['top', 'bottom']],
    ['bar', ['top', 'bottom'], ['top-left', 'bottom-right']],
    ['modal', [], ['top', 'top-left']],
    ['fullscreen', [], ['top', 'top-left']],
    ['inline', [], ['top', 'top-left']],
    [undefined, [], ['top', 'top-left']],
  ])('of %s accepts the positions %j and refuses %j', (placement, accepted, refused) => {
    const pointers = (position: Position) =>
      checkPlacement({ placement, position, popup }).map(({ pointer }) => pointer);
    for (const position of accepted) expect(pointers(position)).toEqual([]);
    for (const position of refused) expect(pointers(position)).toEqual(['/settings/position']);
  });
});

describe('isPopup', () => {
  it('is true in popup mode, unless the placement is inline', () => {
    expect([isPopup({ popup }), isPopup({ popup, placement: 'bar' })]).toEqual([true, true]);
    expect([isPopup({}), isPopup({ popup: { enabled: false } })]).toEqual([false, false]);
    expect(isPopup({ popup, placement: 'inline' })).toBe(false);
  });
});
