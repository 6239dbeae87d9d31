import { Code, Text, TextInput } from '@mantine/core';
import { readTriggerText, triggerText, type Popup, type TriggerProblem } from '@svcforms/contracts';
import { useState } from 'react';
import { displayTexts } from '../../../texts/display.ts';
import { defined } from './trigger-choice.ts';

const texts = displayTexts.trigger;

/** The trigger string. Invalid input stays, with an error that shows its position. */
export function TriggerTextInput({ popup, onChange }: { popup: Popup; onChange: (popup: Popup) => void }) {
  const canonical = triggerText(popup);
  // A change by the other inputs replaces the typed text.
  const [typed, setTyped] = useState<{ text: string; canonical: string }>();
  const text = typed?.canonical === canonical ? typed.text : canonical;
  const read = text === canonical ? undefined : readTriggerText(text);
  const problem = read && 'problem' in read ? read.problem : undefined;
  return (
    <TextInput
      label={texts.text}
      description={texts.textHint}
      value={text}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      error={problem && <Problem text={text} problem={problem} />}
      onBlur={() => !problem && setTyped(undefined)}
      onChange={({ currentTarget }) => {
        const next = readTriggerText(currentTarget.value);
        if ('problem' in next) {
          setTyped({ text: currentTarget.value, canonical });
          return;
        }
        const { intentLevel: _, ...others } = popup;
        const parameters = next.settings.trigger === 'intent' ? others : popup;
        const changed = defined({ ...parameters, ...next.settings });
        setTyped({ text: currentTarget.value, canonical: triggerText(changed) });
        onChange(changed);
      }}
    />
  );
}

function Problem({ text, problem: { start, end, message } }: { text: string; problem: TriggerProblem }) {
  return (
    <>
      {text.trim() !== '' && (
        <Code component="span" c="inherit" bg="transparent" p={0}>
          {text.slice(0, start)}
          <Text component="mark" inherit td="underline wavy" c="inherit" bg="transparent">
            {text.slice(start, end) || '␣'}
          </Text>
          {text.slice(end)}
        </Code>
      )}{' '}
      {message}
    </>
  );
}
