/**
 * Users, groups or forms to choose from. What was deleted since is among them while it is chosen,
 * so that it can be removed.
 */
export function idChoices(
  known: readonly { id: string; name: string }[],
  chosen: readonly string[],
): { value: string; label: string }[] {
  const others = chosen.filter((id) => !known.some((each) => each.id === id));
  return [
    ...known.map(({ id, name }) => ({ value: id, label: name })),
    ...others.map((id) => ({ value: id, label: id })),
  ];
}
