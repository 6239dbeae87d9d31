import type { Control } from '../ui/control.ts';

/**
 * Returns the controls whose `showIf`, and that of the fields they depend on, is met. The server
 * applies the same rule.
 */
export function visibleControls(controls: readonly Control[]): Control[] {
  const isVisible = (control: Control, depth = 0): boolean => {
    const { showIf } = control.field;
    if (!showIf) return true;
    const source = controls.find(({ field }) => field.name === showIf.field);
    return (
      !!source && depth < controls.length && isVisible(source, depth + 1) && holds(source, showIf.equals)
    );
  };
  return controls.filter((control) => isVisible(control));
}

/** `wanted` has the type of the stored value; numbers are typed as text. */
function holds({ field, read }: Control, wanted: string | number | boolean): boolean {
  const value = read();
  const isNumber = /^(number|rating)$/.test(field.type);
  const isSame = (one: unknown) => one === wanted || (isNumber && one !== '' && Number(one) === wanted);
  return Array.isArray(value) ? value.some(isSame) || (wanted === '' && !value.length) : isSame(value);
}
