import { ActionIcon, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { valueFields, type Ending, type FormField, type FormSettings } from '@svcforms/contracts';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { DOMAttributes } from 'react';
import { buildTexts } from '../../../texts/build.ts';
import { withProperty } from '../draft/with-property.ts';
import { newRule } from './condition-rows.tsx';
import { endingsOf } from '../draft/logic-edits.ts';
import { removeRow } from './remove-row.ts';
import { TextWithAnswers } from './text-with-answers.tsx';
import { WhenInput } from './when-input.tsx';

const texts = buildTexts.logic;

/** The endings of a form by answer, in their order. */
export function EndingList({
  fields,
  settings,
  onChange,
  error,
  follow,
  onRemoved,
}: {
  fields: readonly FormField[];
  settings: FormSettings;
  onChange: (settings: FormSettings) => void;
  error: (path: string) => string | undefined;
  /** The handlers that let the preview show the ending with this index. */
  follow: (index: number) => Pick<DOMAttributes<HTMLElement>, 'onPointerDown' | 'onKeyUp'>;
  /** After this, the indexes belong to other endings. */
  onRemoved: () => void;
}) {
  const endings = settings.endings ?? [];
  const sources = valueFields(fields).filter(({ name }) => name !== '');
  const setEndings = (list: Ending[]) => onChange(endingsOf(settings, list));
  const add = () => {
    const when = newRule(false, sources);
    if (when) setEndings([...endings, { name: newName(endings), when }]);
  };
  return (
    <Stack gap="sm" component="section" aria-label={texts.endings} data-rows>
      <Title order={4} size="h5">
        {texts.endings}
      </Title>
      <Text c="dimmed">{sources.length > 0 ? texts.endingsHint : texts.noSources}</Text>
      {endings.map((ending, index) => {
        const errorOf = (path: string) => error(`endings.${index}.${path}`);
        const change = (changed: Ending) =>
          setEndings(endings.map((other, n) => (n === index ? changed : other)));
        return (
          <Paper
            key={index}
            withBorder
            p="sm"
            component="section"
            aria-label={texts.ending(ending.name)}
            {...follow(index)}
          >
            <Stack gap="xs">
              <Group gap="xs" align="flex-start" wrap="nowrap">
                <TextInput
                  flex={1}
                  label={texts.endingName}
                  data-row
                  maxLength={64}
                  value={ending.name}
                  error={errorOf('name')}
                  onChange={({ currentTarget }) => change({ ...ending, name: currentTarget.value })}
                />
                <ActionIcon
                  variant="default"
                  className="beside-input"
                  size={36}
                  aria-label={texts.removeEnding(ending.name)}
                  onClick={({ currentTarget }) =>
                    removeRow(currentTarget, index, () => {
                      setEndings(endings.filter((_, n) => n !== index));
                      onRemoved();
                    })
                  }
                >
                  <IconTrash size={14} aria-hidden />
                </ActionIcon>
              </Group>
              <WhenInput
                rule={ending.when}
                sources={sources}
                mayBeAlways={false}
                onChange={(when) => when && change({ ...ending, when })}
                error={(path) => errorOf(path ? `when.${path}` : 'when')}
              />
              <TextWithAnswers
                label={texts.endingTitle}
                answers={sources}
                value={ending.title ?? ''}
                error={errorOf('title')}
                onChange={(title) => change(withProperty(ending, 'title', title))}
              />
              <TextWithAnswers
                isLong
                label={texts.endingMessage}
                answers={sources}
                value={ending.message ?? ''}
                error={errorOf('message')}
                onChange={(message) => change(withProperty(ending, 'message', message))}
              />
              <TextInput
                label={texts.endingUrl}
                type="url"
                placeholder="https://"
                value={ending.redirectUrl ?? ''}
                error={errorOf('redirectUrl')}
                onChange={({ currentTarget }) =>
                  change(withProperty(ending, 'redirectUrl', currentTarget.value))
                }
              />
            </Stack>
          </Paper>
        );
      })}
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        style={{ alignSelf: 'flex-start' }}
        disabled={sources.length === 0}
        data-add-row
        onClick={add}
      >
        {texts.addEnding}
      </Button>
    </Stack>
  );
}

function newName(endings: readonly Ending[]): string {
  const names = new Set(endings.map(({ name }) => name));
  let n = endings.length + 1;
  while (names.has(`ending_${n}`)) n++;
  return `ending_${n}`;
}
