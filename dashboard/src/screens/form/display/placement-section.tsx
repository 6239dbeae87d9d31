import { Radio, Select, SimpleGrid, Stack } from '@mantine/core';
import { POSITIONS_OF, type FormSettings, type Placement, type Position } from '@svcforms/contracts';
import { displayTexts } from '../../../texts/display.ts';
import { withProperty } from '../draft/with-property.ts';

const texts = displayTexts.placement;
const STYLES = ['modal', 'slide-in', 'bar', 'fullscreen'] as const satisfies Placement[];

/** How the popup covers the page, and where. Saves nothing for the defaults. */
export function PlacementSection({
  settings,
  onChange,
  error,
}: {
  settings: FormSettings;
  onChange: (settings: FormSettings) => void;
  error: (name: 'placement' | 'position') => string | undefined;
}) {
  const style = STYLES.find((known) => known === settings.placement) ?? 'modal';
  const positions = POSITIONS_OF[style];
  return (
    <Stack gap="sm">
      <Radio.Group
        label={texts.style}
        value={style}
        error={error('placement')}
        onChange={(value) => {
          const placement = STYLES.find((known) => known === value && known !== 'modal');
          onChange(withProperty(withProperty(settings, 'position', undefined), 'placement', placement));
        }}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs">
          {STYLES.map((value) => (
            <Radio key={value} value={value} {...texts.styles[value]} />
          ))}
        </SimpleGrid>
      </Radio.Group>
      {positions && (
        <Select
          label={texts.position}
          maw={280}
          allowDeselect={false}
          data={positions.map((value) => ({ value, label: texts.positions[value] }))}
          value={settings.position ?? positions[0]}
          error={error('position')}
          onChange={(value) =>
            onChange(
              withProperty(settings, 'position', positions.find((known) => known === value) as Position),
            )
          }
        />
      )}
    </Stack>
  );
}
