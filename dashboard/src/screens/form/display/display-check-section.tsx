import { Checkbox, Group, List, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { checkDisplay, type PageView, type Popup } from '@svcforms/contracts';
import { useState } from 'react';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { ruleText, ruleWarning } from '../../../texts/display-check.ts';
import { displayTexts } from '../../../texts/display.ts';
import { NumberField } from '../draft/number-field.tsx';
import { urlPath } from './url-path.ts';

const texts = displayTexts.why;
const DAY_MS = 86_400_000;

/** Checks every display rule for a chosen page and visitor. */
export function DisplayCheckSection({ popup }: { popup: Popup }) {
  const [path, setPath] = useState('/');
  const [device, setDevice] = useState<PageView['device']>('desktop');
  const [seenDays, setSeenDays] = useState<number>();
  const [isSeenInSession, setSeenInSession] = useState(false);
  const [shows, setShows] = useState<number>();
  const [declinedDays, setDeclinedDays] = useState<number>();
  const [now] = useState(() => Date.now());
  const daysAgo = (days: number | undefined) => (days === undefined ? undefined : now - days * DAY_MS);
  const rules = checkDisplay(popup, {
    path: urlPath(path),
    device,
    now,
    waitFrom: daysAgo(seenDays),
    isSeenInSession,
    shows,
    declinedAt: daysAgo(declinedDays),
  });
  const blocking = rules.filter(({ ok }) => !ok);
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: 'end' }}>
        <TextInput
          label={texts.path}
          value={path}
          spellCheck={false}
          onChange={({ currentTarget }) => setPath(currentTarget.value)}
        />
        <Radio.Group
          label={texts.device}
          value={device}
          onChange={(value) => setDevice(value === 'mobile' ? 'mobile' : 'desktop')}
        >
          <Group mih={36}>
            <Radio value="desktop" label={texts.desktop} />
            <Radio value="mobile" label={texts.mobile} />
          </Group>
        </Radio.Group>
        <NumberField
          label={texts.seenDays}
          description={texts.never}
          min={0}
          value={seenDays}
          onChange={setSeenDays}
        />
        <NumberField
          label={texts.declinedDays}
          description={texts.never}
          min={0}
          value={declinedDays}
          onChange={setDeclinedDays}
        />
        <NumberField label={texts.shows} min={0} allowDecimal={false} value={shows} onChange={setShows} />
        <Checkbox
          label={texts.session}
          checked={isSeenInSession}
          onChange={({ currentTarget }) => setSeenInSession(currentTarget.checked)}
        />
      </SimpleGrid>
      <Text fw={600} role="status">
        {blocking.length === 0 ? texts.shown : texts.blocked(blocking.length)}
      </Text>
      <List listStyleType="none" spacing="xs" aria-label={texts.list}>
        {rules.map((check) => {
          const { rule, ok } = check;
          const warning = ruleWarning(check);
          return (
            <List.Item key={rule}>
              <StatusBadge tone={ok ? 'good' : 'bad'}>
                {`${texts.rules[rule]}: ${ok ? texts.passes : texts.blocks}`}
              </StatusBadge>
              <Text>{ruleText(check)}</Text>
              {warning && (
                <Text fw={600}>
                  {texts.warning} {warning}
                </Text>
              )}
            </List.Item>
          );
        })}
      </List>
      <Text c="dimmed">{texts.debug}</Text>
    </Stack>
  );
}
