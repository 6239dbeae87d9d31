import { Button, Checkbox, Divider, Popover, Stack } from '@mantine/core';
import type { FormField } from '@svcforms/contracts';
import { IconColumns } from '@tabler/icons-react';
import { fieldLabel } from '../../components/field-labels.ts';
import { submissionsTexts as texts } from '../../texts/submissions.ts';
import { ColumnSets } from './column-sets.tsx';

/** Selects the fields that are columns of the table, by name. */
export function ColumnChooser({
  fields,
  chosen,
  formId,
  onChange,
}: {
  fields: readonly FormField[];
  chosen: readonly string[];
  formId: string;
  onChange: (chosen: string[]) => void;
}) {
  return (
    <Popover position="bottom-end" trapFocus withinPortal={false}>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns size={16} aria-hidden />}>
          {texts.chooseColumns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.chooseColumnsTitle} maw="min(28rem, calc(100vw - 2rem))">
        <Checkbox.Group label={texts.chooseColumnsTitle} value={[...chosen]} onChange={onChange}>
          <Stack gap="xs" mt="xs" mah={320} style={{ overflowY: 'auto' }}>
            {fields.map((field) => (
              <Checkbox key={field.name} value={field.name} label={fieldLabel(field)} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Divider my="sm" />
        <ColumnSets formId={formId} chosen={chosen} onChange={onChange} />
      </Popover.Dropdown>
    </Popover>
  );
}
