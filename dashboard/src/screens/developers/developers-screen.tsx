import { Anchor, Group, SimpleGrid, Text } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';
import { CreateKeyButton } from '../../components/create-key-button.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { developersTexts as texts } from '../../texts/developers.ts';
import { EventCatalog } from './event-catalog.tsx';
import { KeyUse } from './key-use.tsx';
import { McpPanel } from './mcp-panel.tsx';
import { QuickstartPanel } from './quickstart-panel.tsx';

/** Stands for the key until the user creates one on this screen. */
const KEY_PLACEHOLDER = 'svc_key_…';

/**
 * Everything that a program needs to use the API: URLs, a key, the id of a form, and code to start
 * with.
 */
export function DevelopersScreen() {
  const { origin } = window.location;
  const [apiKey, setApiKey] = useState(KEY_PLACEHOLDER);
  return (
    <Page title={texts.title} actions={<CreateKeyButton preset="agent" onCreated={setApiKey} />}>
      <Text c="dimmed">{apiKey === KEY_PLACEHOLDER ? texts.intro : texts.containsKey}</Text>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Section order={2} miw={0} title={texts.addresses.title}>
          <CodeBlock title={texts.addresses.api} code={`${origin}/api`} />
          <CodeBlock title={texts.addresses.mcp} code={`${origin}/api/mcp`} />
          <Group gap="md">
            <Anchor href="/docs" target="_blank" rel="noreferrer">
              {texts.addresses.docs}
            </Anchor>
            <Anchor href="/openapi.json" target="_blank" rel="noreferrer">
              {texts.addresses.openApi}
            </Anchor>
          </Group>
        </Section>
        <Section order={2} miw={0} title={texts.keys.title}>
          <KeyUse />
        </Section>
        <Section order={2} miw={0} title={texts.quickstart.title}>
          <QuickstartPanel origin={origin} apiKey={apiKey} />
        </Section>
        <Section order={2} miw={0} title={texts.mcp.title}>
          <McpPanel url={`${origin}/api/mcp`} apiKey={apiKey} />
        </Section>
      </SimpleGrid>
      <Section order={2} miw={0} title={texts.events.title}>
        <EventCatalog />
      </Section>
    </Page>
  );
}
