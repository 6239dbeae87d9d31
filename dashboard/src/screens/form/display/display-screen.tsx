import { Radio, SimpleGrid, Stack } from '@mantine/core';
import { isPopup, type FormSettings, type Popup } from '@svcforms/contracts';
import { Page } from '../../../components/page.tsx';
import { displayTexts as texts } from '../../../texts/display.ts';
import { DraftBar } from '../draft/draft-bar.tsx';
import { useFormDraft } from '../draft/use-form-draft.ts';
import { withProperty } from '../draft/with-property.ts';
import { ConsentSection } from './consent-section.tsx';
import { FrequencySection } from './frequency-section.tsx';
import { PagesSection } from './pages-section.tsx';
import { PlacementSection } from './placement-section.tsx';
import { TryTriggerSection } from './try-trigger-section.tsx';
import { Section } from '../../../components/section.tsx';
import { withTrigger } from './trigger-choice.ts';
import { TriggerSection } from './trigger-section.tsx';
import { DisplayCheckSection } from './display-check-section.tsx';

/** Display mode, triggers, targeting and frequency of a form. */
export function DisplayScreen() {
  const draft = useFormDraft();
  const { form, change, errors } = draft;
  const popup = form.settings.popup ?? {};
  const set = (settings: FormSettings) => change({ ...form, settings });
  const setPopup = (changed: Popup) => set(withProperty(form.settings, 'popup', changed));
  const setMode = (enabled: boolean) => {
    const { placement: _, position: __, ...settings } = form.settings;
    const changed = enabled ? withTrigger(popup, popup.trigger ?? 'exit') : popup;
    set(withProperty(settings, 'popup', { ...changed, enabled }));
  };
  const isShownAsPopup = isPopup(form.settings);
  const section = {
    popup,
    onChange: setPopup,
    error: (path: string) => errors[`settings.popup.${path}`],
  };
  return (
    <Page title={texts.title} of={form.name} actions={<DraftBar draft={draft} />}>
      <Radio.Group
        label={texts.mode.label}
        value={isShownAsPopup ? 'popup' : 'inline'}
        onChange={(mode) => setMode(mode === 'popup')}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs" maw={640}>
          <Radio value="inline" label={texts.mode.inline} description={texts.mode.inlineText} />
          <Radio value="popup" label={texts.mode.popup} description={texts.mode.popupText} />
        </SimpleGrid>
      </Radio.Group>
      {isShownAsPopup && (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <Stack miw={0}>
            <Section title={texts.placement.title}>
              <PlacementSection
                settings={form.settings}
                onChange={set}
                error={(name) => errors[`settings.${name}`]}
              />
            </Section>
            <Section title={texts.trigger.title}>
              <TriggerSection key={draft.replacements} {...section} />
            </Section>
            <Section title={texts.frequency.title}>
              <FrequencySection {...section} />
            </Section>
            <Section title={texts.pages.title}>
              <PagesSection {...section} />
            </Section>
            <Section title={texts.devices.title}>
              <Radio.Group
                label={texts.devices.label}
                value={popup.devices ?? 'all'}
                onChange={(value) =>
                  setPopup(
                    withProperty(
                      popup,
                      'devices',
                      value === 'desktop' || value === 'mobile' ? value : undefined,
                    ),
                  )
                }
              >
                <Stack gap="xs" mt="xs">
                  {(['all', 'desktop', 'mobile'] as const).map((value) => (
                    <Radio key={value} value={value} label={texts.devices[value]} />
                  ))}
                </Stack>
              </Radio.Group>
            </Section>
            <Section title={texts.consent.title}>
              <ConsentSection {...section} />
            </Section>
          </Stack>
          <Stack miw={0}>
            <Section title={texts.play.title}>
              <TryTriggerSection formId={draft.formId} form={form} />
            </Section>
            <Section title={texts.why.title}>
              <DisplayCheckSection popup={popup} />
            </Section>
          </Stack>
        </SimpleGrid>
      )}
    </Page>
  );
}
