import { Radio, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import type { FormSettings } from '@svcforms/contracts';
import { useMe } from '../../../api/session.ts';
import { LinesInput } from '../../../components/lines-input.tsx';
import { Page } from '../../../components/page.tsx';
import { formSettingsTexts as texts } from '../../../texts/form-settings.ts';
import { Section } from '../../../components/section.tsx';
import { DraftBar } from '../draft/draft-bar.tsx';
import { errorUnder } from '../draft/error-under.ts';
import { NumberField } from '../draft/number-field.tsx';
import { useFormDraft } from '../draft/use-form-draft.ts';
import { undefinedIfEmpty, withProperty } from '../draft/with-property.ts';
import { AddressStatus } from './address-status.tsx';

const MAX_RETENTION_DAYS = 3650;

/** What isn't visible to visitors: notifications, stored metadata, origins, tasks and retention. */
export function FormSettingsScreen() {
  const draft = useFormDraft();
  const { account } = useMe();
  const { form, change, errors } = draft;
  const { settings } = form;
  const set = <K extends keyof FormSettings>(key: K, value: FormSettings[K] | undefined) =>
    change({ ...form, settings: withProperty(settings, key, value) });
  const error = (path: string) => errorUnder(errors, `settings.${path}`);
  const { metadata = {}, tasks = {}, allowedOrigins: origins } = settings;
  const emails = settings.notifications?.emails ?? [];
  const setMetadata = (key: 'includeIp' | 'includeUserAgent', isStored: boolean) =>
    set('metadata', undefinedIfEmpty(withProperty(metadata, key, isStored || undefined)));
  return (
    <Page title={texts.title} of={form.name} actions={<DraftBar draft={draft} />}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Stack miw={0}>
          <Section title={texts.notifications.title}>
            <LinesInput
              label={texts.notifications.emails}
              hint={texts.notifications.emailsHint}
              lines={emails}
              error={error('notifications')}
              onChange={(lines) => set('notifications', lines.length > 0 ? { emails: lines } : undefined)}
            />
            <AddressStatus emails={emails} />
          </Section>
          <Section title={texts.origins.title}>
            <Radio.Group
              label={texts.origins.choice}
              value={origins ? 'listed' : 'any'}
              onChange={(choice) => set('allowedOrigins', choice === 'listed' ? [] : undefined)}
            >
              <Stack gap="xs" mt="xs">
                <Radio value="any" label={texts.origins.any} />
                <Radio value="listed" label={texts.origins.listed} />
              </Stack>
            </Radio.Group>
            {origins && (
              <>
                <LinesInput
                  label={texts.origins.list}
                  hint={texts.origins.hint}
                  lines={origins}
                  error={error('allowedOrigins')}
                  onChange={(lines) => set('allowedOrigins', lines)}
                />
                {origins.length === 0 && <Text role="status">{texts.origins.none}</Text>}
              </>
            )}
          </Section>
        </Stack>
        <Stack miw={0}>
          <Section title={texts.metadata.title}>
            <Text>{texts.metadata.text}</Text>
            {(['includeIp', 'includeUserAgent'] as const).map((key) => (
              <Switch
                key={key}
                label={texts.metadata[key]}
                checked={metadata[key] ?? false}
                onChange={({ currentTarget }) => setMetadata(key, currentTarget.checked)}
              />
            ))}
          </Section>
          <Section title={texts.tasks.title}>
            <Switch
              label={texts.tasks.emit}
              description={texts.tasks.emitHint}
              checked={tasks.emitSubmissionEvents ?? false}
              onChange={({ currentTarget }) =>
                set(
                  'tasks',
                  undefinedIfEmpty(
                    withProperty(tasks, 'emitSubmissionEvents', currentTarget.checked || undefined),
                  ),
                )
              }
            />
          </Section>
          <Section title={texts.retention.title}>
            <NumberField
              label={texts.retention.days}
              description={texts.retention.hint(account.retentionDays ?? undefined)}
              min={1}
              max={MAX_RETENTION_DAYS}
              allowDecimal={false}
              value={settings.retentionDays}
              error={error('retentionDays')}
              onChange={(value) => set('retentionDays', value)}
            />
          </Section>
        </Stack>
      </SimpleGrid>
    </Page>
  );
}
