import { Button, Group, Stack, Switch, Text } from '@mantine/core';
import {
  savedTriggers,
  type FormDefinition,
  type PreviewEvent,
  type PreviewRequest,
  publicForm,
} from '@svcforms/contracts';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { displayTexts } from '../../../texts/display.ts';
import { FormPreview } from '../../../components/form-preview.tsx';

const texts = displayTexts.play;

/** A sample page where the embed arms the trigger, to try it. */
export function TryTriggerSection({ formId, form }: { formId: string; form: FormDefinition }) {
  const [isGuardOver, setGuardOver] = useState(true);
  const [played, setPlayed] = useState<{ round: number; request: PreviewRequest }>();
  const [event, setEvent] = useState<PreviewEvent>();
  const isComplete = savedTriggers(form.settings.popup ?? {}).length > 0;
  const play = (opensNow: boolean) => {
    setEvent(undefined);
    setPlayed((before) => ({
      round: (before?.round ?? 0) + 1,
      request: { show: 'popup', form: publicForm(formId, form), isGuardOver, opensNow },
    }));
  };
  return (
    <Stack gap="sm">
      <Text>{texts.text}</Text>
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          disabled={!isComplete}
          onClick={() => play(false)}
        >
          {played ? texts.again : texts.start}
        </Button>
        <Button variant="default" onClick={() => play(true)}>
          {texts.now}
        </Button>
        <Switch
          label={texts.guard}
          checked={isGuardOver}
          onChange={({ currentTarget }) => setGuardOver(currentTarget.checked)}
        />
      </Group>
      <Text role="status">{isComplete ? event && texts.events[event] : texts.incomplete}</Text>
      {played && (
        <FormPreview
          key={played.round}
          title={texts.frame}
          request={played.request}
          height={480}
          onEvent={setEvent}
        />
      )}
    </Stack>
  );
}
