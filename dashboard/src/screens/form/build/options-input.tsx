import { ActionIcon, Button, Group, Input, Space, Stack, Text, TextInput } from '@mantine/core';
import type { FormField } from '@svcforms/contracts';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { buildTexts } from '../../../texts/build.ts';
import { withProperty } from '../draft/with-property.ts';

const texts = buildTexts.field;
type Options = NonNullable<FormField['options']>;

/** The options of a field, each with a value and a label. */
export function OptionsInput({
  options,
  onChange,
  error,
}: {
  options: Options;
  onChange: (options: Options) => void;
  error: (path: string) => string | undefined;
}) {
  const replace = (index: number, option: Options[number]) =>
    onChange(options.map((other, n) => (n === index ? option : other)));
  const add = () => {
    let number = options.length + 1;
    while (options.some(({ value }) => value === texts.newOption(number))) number++;
    onChange([...options, { value: texts.newOption(number) }]);
  };
  return (
    <Stack gap="xs" role="group" aria-label={texts.options}>
      <Input.Label labelElement="div">{texts.options}</Input.Label>
      {options.length > 0 && (
        <Group gap="xs" wrap="nowrap" aria-hidden>
          {[texts.value, texts.shown].map((heading) => (
            <Text key={heading} flex={1} size="xs" c="dimmed">
              {heading}
            </Text>
          ))}
          <Space w={34} />
        </Group>
      )}
      {options.map((option, index) => (
        <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
          <TextInput
            flex={1}
            miw={0}
            aria-label={texts.option(index + 1)}
            placeholder={texts.value}
            value={option.value}
            error={error(`${index}.value`)}
            onChange={({ currentTarget }) => replace(index, { ...option, value: currentTarget.value })}
          />
          <TextInput
            flex={1}
            miw={0}
            aria-label={texts.optionLabel(index + 1)}
            placeholder={texts.shown}
            value={option.label ?? ''}
            error={error(`${index}.label`)}
            onChange={({ currentTarget }) =>
              replace(index, withProperty(option, 'label', currentTarget.value))
            }
          />
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={texts.removeOption(index + 1)}
            onClick={() => onChange(options.filter((_, n) => n !== index))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {error('') && <Text c="var(--mantine-color-error)">{error('')}</Text>}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} aria-hidden />}
        style={{ alignSelf: 'flex-start' }}
        onClick={add}
      >
        {texts.addOption}
      </Button>
    </Stack>
  );
}
