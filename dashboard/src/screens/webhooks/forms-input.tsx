import { MultiSelect, Radio, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { allFormsQuery } from '../../api/forms.ts';
import { idChoices } from '../../components/id-choices.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';

const texts = webhooksTexts.account;

/** Chooses all forms (null) or some of them, by their ids. */
export function FormsInput({
  value,
  onChange,
  error,
}: {
  value: string[] | null;
  onChange: (value: string[] | null) => void;
  error?: ReactNode;
}) {
  const forms = useQuery({ ...allFormsQuery, enabled: value !== null });
  return (
    <Radio.Group
      label={texts.forms}
      value={value === null ? 'all' : 'some'}
      onChange={(choice) => onChange(choice === 'all' ? null : [])}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="all" label={texts.allForms} />
        <Radio value="some" label={texts.someForms} />
        {value !== null && (
          <MultiSelect
            label={texts.choose}
            data={idChoices(forms.data ?? [], value)}
            value={value}
            onChange={onChange}
            error={error}
            // In the dialog, so that the options belong to its landmark.
            comboboxProps={{ withinPortal: false }}
            // Tab goes on to the next input, not into the list.
            scrollAreaProps={{ viewportProps: { tabIndex: -1 } }}
            searchable
            hidePickedOptions
          />
        )}
      </Stack>
    </Radio.Group>
  );
}
