import type { Control } from './control.ts';

/** The controls that their `showIf`, and those of the fields that it depends on, let through. As the server judges it. */
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

/** `wanted` is published in the form in which the answer is kept; only numbers are typed in another. */
function holds({ field, read }: Control, wanted: string | number | boolean): boolean {
  const value = read();
  const isNumber = /^(number|rating)$/.test(field.type);
  const isSame = (one: unknown) => one === wanted || (isNumber && one !== '' && Number(one) === wanted);
  return Array.isArray(value) ? value.some(isSame) || (wanted === '' && !value.length) : isSame(value);
}
