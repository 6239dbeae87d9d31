import { Box, Button, Group, Input, Text, Textarea } from '@mantine/core';
import type { PayloadError } from '@svcforms/contracts';
import { useRef, type ReactNode } from 'react';
import { payloadTexts as texts } from '../../texts/payload.ts';

const ROWS = 18;
/** The same for the text and its line numbers. */
const TYPE = {
  fontFamily: 'var(--mantine-font-family-monospace)',
  fontSize: '0.8125rem',
  lineHeight: '1.25rem',
} as const;
const PADDING = '0.5rem';

/** A template with line numbers. The line of an error is marked, and can be jumped to. */
export function TemplateInput({
  value,
  onChange,
  problem,
  error,
}: {
  value: string;
  onChange: (value: string) => void;
  problem: PayloadError | null;
  /** Of the last attempt to save. */
  error: ReactNode;
}) {
  const input = useRef<HTMLTextAreaElement>(null);
  const numbers = useRef<HTMLPreElement>(null);
  const lines = value.split('\n');
  const { line, column } = problem ?? {};

  function goTo(number: number): void {
    const start = lines.slice(0, number - 1).join('\n').length + (number > 1 ? 1 : 0);
    input.current?.focus();
    input.current?.setSelectionRange(start, start + (lines[number - 1] ?? '').length);
  }

  return (
    <Box>
      <Input.Label htmlFor="payload-template">{texts.template}</Input.Label>
      <Input.Description id="payload-template-hint" mb={4}>
        {texts.templateHint}
      </Input.Description>
      <Group gap={0} align="stretch" wrap="nowrap">
        <pre
          ref={numbers}
          aria-hidden
          style={{
            ...TYPE,
            margin: 0,
            padding: `calc(${PADDING} + 1px) ${PADDING}`,
            textAlign: 'right',
            overflow: 'hidden',
            height: `calc(${ROWS} * ${TYPE.lineHeight} + 2 * ${PADDING})`,
          }}
        >
          {lines.map((_, index) => (
            <Text
              // oxlint-disable-next-line react/no-array-index-key -- a line is its number
              key={index}
              inherit
              c={line === index + 1 ? 'red' : 'dimmed'}
              fw={line === index + 1 ? 700 : 400}
            >
              {index + 1}
            </Text>
          ))}
        </pre>
        <Textarea
          ref={input}
          id="payload-template"
          aria-describedby="payload-template-hint payload-template-error"
          style={{ flex: 1 }}
          styles={{ input: { ...TYPE, padding: PADDING, whiteSpace: 'pre', overflow: 'auto' } }}
          rows={ROWS}
          wrap="off"
          spellCheck={false}
          autoComplete="off"
          required
          value={value}
          error={problem !== null || Boolean(error)}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          onScroll={({ currentTarget }) => {
            if (numbers.current) numbers.current.scrollTop = currentTarget.scrollTop;
          }}
        />
      </Group>
      <Box id="payload-template-error" role="status">
        {problem && (
          <Group gap="xs" mt={4}>
            <Input.Error>
              {line !== undefined && column !== undefined && `${texts.at(line, column)}: `}
              {problem.message}
            </Input.Error>
            {line !== undefined && (
              <Button size="compact-xs" variant="default" onClick={() => goTo(line)}>
                {texts.goToLine(line)}
              </Button>
            )}
          </Group>
        )}
        {!problem && error && <Input.Error mt={4}>{error}</Input.Error>}
      </Box>
    </Box>
  );
}
