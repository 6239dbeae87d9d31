import { Checkbox, List, NumberInput, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { checkDisplay, type PageView, type Popup } from '@svcforms/contracts';
import { useState } from 'react';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { displayTexts } from '../../../texts/display.ts';
import { numberOf } from '../with-property.ts';
import { pathOf } from './path-of.ts';

const texts = displayTexts.why;
const DAY_MS = 86_400_000;

/** Every rule judged for a visitor and a page that are given by hand. */
export function WhySection({ popup }: { popup: Popup }) {
  const [path, setPath] = useState('/');
  const [device, setDevice] = useState<PageView['device']>('desktop');
  const [seenDays, setSeenDays] = useState<number>();
  const [isSeenInSession, setSeenInSession] = useState(false);
  const [shows, setShows] = useState<number>();
  const [declinedDays, setDeclinedDays] = useState<number>();
  const [now] = useState(() => Date.now());
  const daysAgo = (days: number | undefined) => (days === undefined ? undefined : now - days * DAY_MS);
  const rules = checkDisplay(popup, {
    path: pathOf(path),
    device,
    now,
    waitFrom: daysAgo(seenDays),
    isSeenInSession,
    shows,
    declinedAt: daysAgo(declinedDays),
  });
  const held = rules.filter(({ ok }) => !ok);
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
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
          <Stack gap={4}>
            <Radio value="desktop" label={texts.desktop} />
            <Radio value="mobile" label={texts.mobile} />
          </Stack>
        </Radio.Group>
        <NumberInput
          label={texts.seenDays}
          description={texts.never}
          min={0}
          value={seenDays ?? ''}
          onChange={(value) => setSeenDays(numberOf(value))}
        />
        <NumberInput
          label={texts.declinedDays}
          description={texts.never}
          min={0}
          value={declinedDays ?? ''}
          onChange={(value) => setDeclinedDays(numberOf(value))}
        />
        <NumberInput
          label={texts.shows}
          min={0}
          allowDecimal={false}
          value={shows ?? ''}
          onChange={(value) => setShows(numberOf(value))}
        />
        <Checkbox
          label={texts.session}
          checked={isSeenInSession}
          onChange={({ currentTarget }) => setSeenInSession(currentTarget.checked)}
        />
      </SimpleGrid>
      <Text fw={600} role="status">
        {held.length === 0 ? texts.shown : texts.held(held.length)}
      </Text>
      <List listStyleType="none" spacing="xs" aria-label={texts.list}>
        {rules.map(({ rule, ok, text, warning }) => (
          <List.Item key={rule}>
            <StatusBadge colour={ok ? 'teal' : 'red'}>
              {`${texts.rules[rule]}: ${ok ? texts.lets : texts.holds}`}
            </StatusBadge>
            <Text>{text}</Text>
            {warning && (
              <Text fw={600}>
                {texts.warning} {warning}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
      <Text c="dimmed">{texts.debug}</Text>
    </Stack>
  );
}
