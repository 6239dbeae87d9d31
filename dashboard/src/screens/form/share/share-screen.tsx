import { Anchor, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { isPopup } from '@svcforms/contracts';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../../components/code-block.tsx';
import { Page } from '../../../components/page.tsx';
import { shareTexts as texts } from '../../../texts/share.ts';
import { UnpublishedAlert } from '../layout/unpublished-alert.tsx';
import { useSavedForm } from '../layout/use-saved-form.ts';
import { ScriptLastSeen } from '../layout/script-last-seen.tsx';
import { snippetsOf } from './snippets.ts';

/** The snippets and links that publish the form. */
export function ShareScreen() {
  const form = useSavedForm();
  const snippets = snippetsOf(window.location.origin, form, texts.open.label);
  return (
    <Page title={texts.title} of={form.name}>
      <UnpublishedAlert text={texts.unpublished} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Part
          title={texts.embed.title}
          text={isPopup(form.settings) ? texts.embed.popup : texts.embed.inline}
        >
          <CodeBlock title={texts.embed.tag} code={snippets.tag} />
          <ScriptLastSeen formId={form.id} />
        </Part>
        <Part title={texts.open.title} text={texts.open.text}>
          <CodeBlock title={texts.open.button} code={snippets.button} />
          <CodeBlock title={texts.open.link} code={snippets.link} />
          <CodeBlock title={texts.open.script} code={snippets.script} />
        </Part>
        <Part title={texts.hosted.title} text={texts.hosted.text}>
          <CodeBlock title={texts.hosted.link} code={snippets.hosted} />
          <Anchor href={snippets.hosted} target="_blank" rel="noreferrer" size="sm">
            {texts.hosted.visit}
          </Anchor>
          <CodeBlock title={texts.hosted.frame} code={snippets.frame} />
        </Part>
        <Part title={texts.trigger.title} text={texts.trigger.text}>
          <CodeBlock title={texts.trigger.tag} code={snippets.trigger} />
        </Part>
        <Part title={texts.analytics.title} text={texts.analytics.text}>
          <CodeBlock title={texts.analytics.tag} code={snippets.analytics} />
        </Part>
        <Part title={texts.csp.title} text={texts.csp.text}>
          <CodeBlock title={texts.csp.lines} code={snippets.csp} />
        </Part>
        <Part title={texts.debug.title} text={texts.debug.text}>
          <CodeBlock title={texts.debug.tag} code={snippets.debug} />
        </Part>
      </SimpleGrid>
    </Page>
  );
}

function Part({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title} miw={0}>
      <Stack gap="sm">
        <Title order={3} size="h4">
          {title}
        </Title>
        <Text>{text}</Text>
        {children}
      </Stack>
    </Paper>
  );
}
