import { Button, Group, Stack, Text } from '@mantine/core';

/** The body of a dialog that asks before unsaved changes are lost. */
export function UnsavedQuestion({
  texts,
  onLeave,
  onStay,
}: {
  texts: { text: string; stay: string; leave: string };
  onLeave: () => void;
  onStay: () => void;
}) {
  return (
    <Stack>
      <Text>{texts.text}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onLeave}>
          {texts.leave}
        </Button>
        <Button onClick={onStay} data-autofocus>
          {texts.stay}
        </Button>
      </Group>
    </Stack>
  );
}
