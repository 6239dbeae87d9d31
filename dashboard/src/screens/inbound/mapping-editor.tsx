import { Box, Button, Code, NativeSelect, Stack, Text, Textarea, Title } from '@mantine/core';
import {
  findMappedValue,
  valueFields,
  type FieldMapping,
  type FormOut,
  type InboundOut,
} from '@svcforms/contracts';
import { useState } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';
import { ConflictDialog } from '../../components/conflict-dialog.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { toastSuccess } from '../../components/toast.tsx';
import { UnsavedWarning } from '../../components/unsaved-warning.tsx';
import { inboundTexts } from '../../texts/inbound.ts';
import {
  duplicateKeys,
  fieldNameAt,
  readSample,
  sampleKeys,
  suggestMapping,
  tryMapping,
} from './field-mapping.ts';
import { useMappingDraft } from './use-mapping-draft.ts';

const texts = inboundTexts.mapping;
/** The length of an example value in the table. */
const EXAMPLE_LENGTH = 60;

/** Maps the keys of another system's requests to fields, with a pasted sample. */
export function MappingEditor({
  form,
  endpoint,
  onEdited,
  onSaved,
}: {
  form: FormOut;
  endpoint: InboundOut;
  /** Receives true after an edit or a pasted sample, and false after a save or discard. */
  onEdited: ((isEdited: boolean) => void) | undefined;
  onSaved: (endpoint: InboundOut) => void;
}) {
  const saved: FieldMapping = endpoint.fieldMapping;
  const [sample, setSample] = useState('');
  const [suggested, setSuggested] = useState(0);
  const { mapping, setMapping, isDirty, save, isConflict, setConflict, discard } = useMappingDraft(endpoint, {
    onSaved(changed) {
      toastSuccess(inboundTexts.saved);
      onSaved(changed);
    },
    onEdited,
    onDiscard: () => setSuggested(0),
  });
  const reading = readSample(sample);
  const body = reading.ok ? reading.body : {};
  const keys = [...new Set([...sampleKeys(body), ...Object.keys(saved), ...Object.keys(mapping)])];
  const preview = tryMapping(form, mapping, body);
  const duplicates = duplicateKeys(mapping);

  function paste(text: string): void {
    setSample(text);
    const pasted = readSample(text);
    if (!pasted.ok) return;
    const next = suggestMapping(sampleKeys(pasted.body), valueFields(form.fields), mapping);
    setSuggested(Object.keys(next).length - Object.keys(mapping).length);
    setMapping(next);
  }

  const columns: readonly Column<string>[] = [
    { label: texts.key, cell: (key) => <Code>{key}</Code> },
    {
      label: texts.example,
      cell: (key) => {
        const found = findMappedValue(body, key);
        return found && JSON.stringify(found.value).slice(0, EXAMPLE_LENGTH);
      },
    },
    {
      label: texts.field,
      cell: (key) => (
        <NativeSelect
          aria-label={texts.fieldOf(key)}
          value={Object.hasOwn(mapping, key) ? mapping[key] : ''}
          data={[
            { value: '', label: unmappedLabel(form, body, key) },
            ...choicesOf(form, Object.hasOwn(mapping, key) ? mapping[key] : undefined),
          ]}
          error={duplicates.has(key) && texts.taken}
          onChange={({ currentTarget }) => setMapping(changed(mapping, key, currentTarget.value))}
        />
      ),
    },
  ];
  return (
    <Box component="section" aria-label={texts.title}>
      <UnsavedWarning when={isDirty} />
      <ConflictDialog
        opened={isConflict}
        title={texts.conflict}
        onClose={() => setConflict(false)}
        onLoadTheirs={discard}
        onSaveMine={() => save.mutate({ overwrites: true })}
      />
      <Stack gap="sm">
        <Title order={3} size="h4">
          {texts.title}
        </Title>
        <Text>{texts.text}</Text>
        <Textarea
          label={texts.sample}
          placeholder='{"customer.mail": "ada@example.com"}'
          autosize
          minRows={3}
          maxRows={12}
          value={sample}
          error={reading.ok ? undefined : reading.problem === 'json' ? texts.notJson : texts.notObject}
          onChange={({ currentTarget }) => paste(currentTarget.value)}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <Text role="status">{suggested > 0 && texts.suggested(suggested)}</Text>
        <FailureAlert error={save.error} />
        {keys.length === 0 && <Text c="dimmed">{texts.none}</Text>}
        {keys.length > 0 && (
          <DataTable name={texts.title} columns={columns} rows={keys} keyOf={(key) => key} />
        )}
        {Object.keys(body).length > 0 && (
          <>
            <CodeBlock title={texts.preview} code={JSON.stringify(preview.data, null, 2)} />
            <Text role="status">{preview.issues.length === 0 ? texts.accepted : texts.refused}</Text>
            {preview.issues.map(({ pointer, message }) => (
              <Text key={`${pointer} ${message}`} c="red">
                {texts.issue(fieldNameAt(form.fields, mapping, pointer), message)}
              </Text>
            ))}
          </>
        )}
        {keys.length > 0 && (
          <Button
            style={{ alignSelf: 'flex-start' }}
            disabled={!isDirty || duplicates.size > 0}
            loading={save.isPending}
            onClick={() => save.mutate({ overwrites: false })}
          >
            {texts.save}
          </Button>
        )}
      </Stack>
    </Box>
  );
}

/** What happens to the value of an unmapped key. */
function unmappedLabel({ fields }: FormOut, body: object, key: string): string {
  const [first = key] = key.split('.');
  if (!Object.hasOwn(body, key) && findMappedValue(body, key)) return texts.inside(first);
  return fields.some(({ name }) => name === key) ? texts.same : texts.own;
}

/** The fields, and the mapped name if it isn't a field anymore. */
function choicesOf({ fields }: FormOut, current: string | undefined): string[] {
  const names = valueFields(fields).map(({ name }) => name);
  return current === undefined || names.includes(current) ? names : [...names, current];
}

function changed(mapping: FieldMapping, key: string, field: string): FieldMapping {
  const rest = Object.entries(mapping).filter(([other]) => other !== key);
  return Object.fromEntries(field === '' ? rest : [...rest, [key, field]]);
}
