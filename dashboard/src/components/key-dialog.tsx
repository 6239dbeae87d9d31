import { Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { SCOPES, type KeyCreatedOut, type Scope } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formErrors } from '../api/api-error.ts';
import { createKey, keyListQuery } from '../api/keys.ts';
import { FormDialog } from './form-dialog.tsx';
import { keyTexts as texts } from '../texts/keys.ts';
import { KEY_PRESETS, presetOf, type KeyPreset } from './key-presets.ts';

const DAY_MS = 86_400_000;

interface Values {
  name: string;
  scopes: Scope[];
  /** Empty means that the key never expires. */
  days: string;
}

export function KeyDialog({
  preset,
  onClose,
  onCreated,
}: {
  preset?: KeyPreset | undefined;
  onClose: () => void;
  onCreated: (created: KeyCreatedOut) => void;
}) {
  const queryClient = useQueryClient();
  const form = useForm<Values>({
    initialValues: { name: '', scopes: preset ? [...KEY_PRESETS[preset]] : [], days: '' },
    validate: { scopes: (scopes) => (scopes.length === 0 ? texts.scopesMissing : null) },
  });
  const create = useMutation({
    mutationFn: ({ days, ...rest }: Values) =>
      createKey({
        ...rest,
        ...(days && { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
      }),
    meta: { showsError: true },
    async onSuccess(created) {
      onCreated(created);
      await queryClient.invalidateQueries({ queryKey: keyListQuery.queryKey });
    },
    onError: (error) => form.setErrors(formErrors(error)),
  });
  const chosen = presetOf(form.values.scopes);
  const hasAllScopes = form.values.scopes.includes('*');
  return (
    <FormDialog
      title={texts.create}
      confirm={texts.create}
      error={create.error}
      inputs={Object.keys(form.values)}
      hasChanges={form.isDirty()}
      isSaving={create.isPending}
      onSubmit={form.onSubmit((values) => create.mutate(values))}
      onClose={onClose}
    >
      <TextInput
        label={texts.name}
        description={texts.nameHint}
        required
        maxLength={200}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <NativeSelect
        label={texts.preset}
        description={chosen && texts.presetHints[chosen]}
        value={chosen ?? ''}
        onChange={({ currentTarget }) => form.setFieldValue('scopes', scopesOf(currentTarget.value))}
        data={[
          { value: '', label: texts.customPreset },
          ...Object.entries(texts.presets).map(([value, label]) => ({ value, label })),
        ]}
      />
      <Checkbox.Group label={texts.scopes} {...form.getInputProps('scopes')}>
        <Stack gap="xs" mt="xs">
          {SCOPES.map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              label={texts.scopeTexts[scope]}
              description={scope === '*' ? undefined : scope}
              disabled={hasAllScopes && scope !== '*'}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <NativeSelect
        label={texts.expires}
        data={Object.entries(texts.lifetimes).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('days')}
      />
    </FormDialog>
  );
}

function scopesOf(preset: string): Scope[] {
  return preset in KEY_PRESETS ? [...KEY_PRESETS[preset as KeyPreset]] : [];
}
