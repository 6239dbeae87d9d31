import { SimpleGrid, Stack } from '@mantine/core';
import { Page } from '../../../components/page.tsx';
import { publishTexts as texts } from '../../../texts/publish.ts';
import { useSavedForm } from '../layout/use-saved-form.ts';
import { ClosingSection } from './closing-section.tsx';
import { DraftSection } from './draft-section.tsx';
import { VersionsSection } from './versions-section.tsx';

/** The draft compared with what visitors see, the published versions, and when the form closes. */
export function PublishScreen() {
  const form = useSavedForm();
  return (
    <Page title={texts.title} of={form.name}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Stack miw={0}>
          <DraftSection />
          <VersionsSection />
        </Stack>
        <Stack miw={0}>
          <ClosingSection />
        </Stack>
      </SimpleGrid>
    </Page>
  );
}
