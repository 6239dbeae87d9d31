import { Button, Group, NativeSelect, Paper, Stack, Text } from '@mantine/core';
import { FILTER_LIMITS } from '@svcforms/contracts';
import { filterTexts as texts } from '../../../texts/webhook-filters.ts';
import { ConditionInput, type PathChoices } from './condition-input.tsx';
import { isGroup, newCondition, newGroup, type ElementDraft, type GroupDraft } from './filter-draft.ts';

/** A group of conditions and of further groups. */
export function GroupInput({
  group,
  at = '',
  depth = 1,
  choices,
  faults,
  onChange,
  onRemove,
}: {
  group: GroupDraft;
  /** Where the group is in the filter: `all/2`; empty for the filter itself. */
  at?: string;
  depth?: number;
  choices: PathChoices;
  /** The faults to show, by path in the filter. */
  faults: ReadonlyMap<string, string>;
  onChange: (group: GroupDraft) => void;
  /** Absent for the filter itself. */
  onRemove?: () => void;
}) {
  const { combine, elements } = group;
  const within = at === '' ? combine : `${at}/${combine}`;
  const setElements = (next: ElementDraft[]) => onChange({ ...group, elements: next });
  const fresh = () => {
    const [first] = [...choices.fields, ...choices.event];
    return newCondition(first?.path ?? '', first?.kind);
  };
  const replace = (element: ElementDraft) =>
    setElements(elements.map((each) => (each.key === element.key ? element : each)));
  const remove = (key: string) => setElements(elements.filter((each) => each.key !== key));

  return (
    <Paper withBorder p="sm" role="group" aria-label={texts.group}>
      <Stack gap="sm">
        <NativeSelect
          label={texts.combine.label}
          value={combine}
          onChange={({ currentTarget }) =>
            onChange({ ...group, combine: currentTarget.value === 'any' ? 'any' : 'all' })
          }
          data={(['all', 'any'] as const).map((value) => ({ value, label: texts.combine[value] }))}
        />
        {elements.map((element, index) =>
          isGroup(element) ? (
            <GroupInput
              key={element.key}
              group={element}
              at={`${within}/${index}`}
              depth={depth + 1}
              choices={choices}
              faults={faults}
              onChange={replace}
              onRemove={() => remove(element.key)}
            />
          ) : (
            <ConditionInput
              key={element.key}
              condition={element}
              number={index + 1}
              choices={choices}
              faultAt={(part) => faultWithin(faults, `${within}/${index}/${part}`)}
              onChange={replace}
              onRemove={() => remove(element.key)}
            />
          ),
        )}
        {[within, at].map(
          (place) =>
            faults.has(place) && (
              <Text key={place} c="red" size="sm" role="alert">
                {faults.get(place)}
              </Text>
            ),
        )}
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => setElements([...elements, fresh()])}>
            {texts.addCondition}
          </Button>
          {depth < FILTER_LIMITS.depth && (
            <Button
              size="xs"
              variant="default"
              onClick={() =>
                setElements([...elements, newGroup([fresh()], combine === 'all' ? 'any' : 'all')])
              }
            >
              {texts.addGroup}
            </Button>
          )}
          {onRemove && (
            <Button size="xs" variant="subtle" color="gray" onClick={onRemove}>
              {texts.removeGroup}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}

/** The fault of a value, or of one of the values of a list. */
function faultWithin(faults: ReadonlyMap<string, string>, place: string): string | undefined {
  for (const [at, message] of faults) if (at === place || at.startsWith(`${place}/`)) return message;
  return undefined;
}
