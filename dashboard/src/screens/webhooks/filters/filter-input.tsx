import { Button, List, Radio, Stack, Text, Textarea } from '@mantine/core';
import type { EventType } from '@svcforms/contracts';
import { useDebouncedValue } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { filterTexts as texts } from '../../../texts/webhook-filters.ts';
import type { PathChoices } from './condition-input.tsx';
import { draftOf, filterOf, jsonDraftOf, newCondition, newGroup, readDraft } from './filter-draft.ts';
import type { FilterDraft } from './filter-draft.ts';
import { FilterPreview } from './filter-preview.tsx';
import { GroupInput } from './group-input.tsx';
import { usePathChoices } from './use-path-choices.ts';

const PREVIEW_AFTER_MS = 500;
const NO_FAULTS: ReadonlyMap<string, string> = new Map();

/** The webhook whose events are filtered, as it is in the dialog. */
export interface FilteredWebhook {
  /** Absent for an account webhook. */
  formId: string | undefined;
  events: EventType[];
  /** Of an account webhook; null for all forms. */
  forms: string[] | null;
}

/**
 * Sends all events (null) or those that match a filter, and shows which recent events would match.
 */
export function FilterInput({
  value,
  webhook,
  error,
  onChange,
}: {
  value: FilterDraft | null;
  webhook: FilteredWebhook;
  /** Set after an attempt to save; then the inputs show their faults. */
  error: ReactNode;
  onChange: (value: FilterDraft | null) => void;
}) {
  const choices = usePathChoices(webhook);
  // Switching to all events and back keeps what was entered.
  const [last, setLast] = useState<FilterDraft | null>(value);
  const change = (next: FilterDraft | null) => {
    if (next) setLast(next);
    onChange(next);
  };
  return (
    <Radio.Group
      label={texts.label}
      value={value === null ? 'all' : 'matching'}
      onChange={(choice) => change(choice === 'all' ? null : (last ?? emptyDraft(choices)))}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="all" label={texts.everything} />
        <Radio value="matching" label={texts.matching} />
        {value && (
          <FilterEditor
            draft={value}
            choices={choices}
            webhook={webhook}
            showsFaults={error !== undefined}
            onChange={change}
          />
        )}
        {error && (
          <Text c="red" size="sm" role="alert">
            {error}
          </Text>
        )}
      </Stack>
    </Radio.Group>
  );
}

function emptyDraft({ fields, event }: PathChoices): FilterDraft {
  const [first] = [...fields, ...event];
  return { mode: 'inputs', group: newGroup([newCondition(first?.path ?? '', first?.kind)]) };
}

function FilterEditor({
  draft,
  choices,
  webhook,
  showsFaults,
  onChange,
}: {
  draft: FilterDraft;
  choices: PathChoices;
  webhook: FilteredWebhook;
  showsFaults: boolean;
  onChange: (draft: FilterDraft) => void;
}) {
  const reading = readDraft(draft);
  const faults = 'faults' in reading ? reading.faults : NO_FAULTS;
  const [previewed] = useDebouncedValue('filter' in reading ? reading.filter : null, PREVIEW_AFTER_MS);
  const asInputs = 'filter' in reading ? draftOf(reading.filter) : null;
  return (
    <Stack gap="sm">
      {draft.mode === 'inputs' ? (
        <GroupInput
          group={draft.group}
          choices={choices}
          faults={showsFaults ? faults : NO_FAULTS}
          onChange={(group) => onChange({ mode: 'inputs', group })}
        />
      ) : (
        <Textarea
          label={texts.json}
          description={texts.jsonHint}
          value={draft.text}
          onChange={({ currentTarget }) => onChange({ mode: 'json', text: currentTarget.value })}
          error={faults.size > 0 && <Faults faults={faults} />}
          autosize
          minRows={6}
          maxRows={20}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
      )}
      {draft.mode === 'inputs' ? (
        <Button
          size="compact-sm"
          variant="subtle"
          w="max-content"
          onClick={() => onChange(jsonDraftOf(filterOf(draft.group)))}
        >
          {texts.editJson}
        </Button>
      ) : (
        asInputs &&
        (asInputs.mode === 'inputs' ? (
          <Button size="compact-sm" variant="subtle" w="max-content" onClick={() => onChange(asInputs)}>
            {texts.editInputs}
          </Button>
        ) : (
          <Text size="sm" c="dimmed">
            {texts.onlyJson}
          </Text>
        ))
      )}
      {previewed && webhook.events.length > 0 && (
        <FilterPreview filter={previewed} webhook={webhook} choices={choices} />
      )}
    </Stack>
  );
}

/** The faults of JSON, each with its path. */
function Faults({ faults }: { faults: ReadonlyMap<string, string> }) {
  return (
    <List component="ul" size="sm">
      {[...faults].map(([at, message]) => (
        <List.Item key={at}>{at === '' ? message : `/${at}: ${message}`}</List.Item>
      ))}
    </List>
  );
}
