import { ActionIcon, Menu, Textarea, TextInput } from '@mantine/core';
import type { FormField } from '@svcforms/contracts';
import { IconBraces } from '@tabler/icons-react';
import { useRef, type InputHTMLAttributes, type ReactNode } from 'react';
import { buildTexts } from '../../../texts/build.ts';
import { labelOf } from '../../../components/field-labels.ts';

const texts = buildTexts.logic;
/** Answers without a text can't be inserted. */
const WITHOUT_TEXT: ReadonlySet<string> = new Set(['checkbox', 'consent']);

/**
 * A text that can contain the answers to these fields, with a menu that inserts them at the cursor.
 */
export function TextWithAnswers({
  label,
  description,
  isLong = false,
  minRows,
  answers,
  value,
  error,
  onChange,
  ...handlers
}: {
  label: string;
  description?: ReactNode;
  isLong?: boolean;
  minRows?: number;
  answers: readonly FormField[];
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
} & Pick<InputHTMLAttributes<HTMLElement>, 'onPointerDown' | 'onKeyUp'>) {
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const usable = answers.filter(({ name, type }) => name !== '' && !WITHOUT_TEXT.has(type));
  const insert = (name: string) => {
    const at = input.current?.selectionStart ?? value.length;
    onChange(`${value.slice(0, at)}{{${name}}}${value.slice(at)}`);
  };
  const common = {
    ...handlers,
    ref: input,
    label,
    description,
    value,
    error,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
    ...(usable.length > 0 && {
      rightSection: (
        <Menu position="bottom-end" returnFocus>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={texts.insert} title={texts.insert}>
              <IconBraces size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
            {usable.map((field) => (
              <Menu.Item key={field.name} onClick={() => insert(field.name)}>
                {labelOf(field)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ),
    }),
  };
  return isLong ? (
    <Textarea {...common} autosize {...(minRows !== undefined && { minRows })} />
  ) : (
    <TextInput {...common} />
  );
}
