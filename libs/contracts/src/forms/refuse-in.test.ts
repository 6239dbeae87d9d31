import { refuseIn } from './refuse-in.ts';

describe('refuseIn', () => {
  const refuse = refuseIn('de');
  it('says why a value is refused', () => {
    expect(refuse('required', undefined)).toBe('Bitte füllen Sie dieses Feld aus.');
    expect(refuse('min', 1000)).toBe('Bitte geben Sie mindestens 1.000 ein.');
    expect(refuse('rating', { min: 1, max: 5 })).toBe('Bitte wählen Sie eine Option aus.');
    expect(refuse('newText', undefined)).toContain('geändert');
    expect(refuse('text', undefined)).toBe('Dieser Wert ist ungültig.');
  });
});
