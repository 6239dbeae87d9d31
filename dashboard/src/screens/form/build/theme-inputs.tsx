import {
  Alert,
  ColorInput,
  ColorSwatch,
  Group,
  Input,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { DENSITIES, READY_THEMES, themeContrast, type FormSettings, type Theme } from '@svcforms/contracts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { buildTexts } from '../../../texts/build.ts';
import { NumberField } from '../draft/number-field.tsx';
import { undefinedIfEmpty, withProperty } from '../draft/with-property.ts';

const texts = buildTexts.design;

/** System stacks, and the font of the page. */
const FONTS = {
  system: undefined,
  page: 'inherit',
  serif: 'Charter, Georgia, serif',
  rounded: 'ui-rounded, Nunito, Quicksand, system-ui, sans-serif',
  mono: 'ui-monospace, Menlo, Consolas, monospace',
} as const;
type Font = keyof typeof FONTS | 'custom';

/** The background of the default look, for the swatches of ready themes. */
const DEFAULT_BACKGROUND = '#ffffff';

type SetTheme = <K extends keyof Theme>(key: K, value: Theme[K] | '' | undefined) => void;

interface Props {
  settings: FormSettings;
  onChange: (settings: FormSettings) => void;
  error: (path: string) => string | undefined;
}

export function ThemeInputs({ settings, onChange, error }: Props) {
  const theme = settings.theme ?? {};
  const setTheme = (changed: Theme) => onChange(withProperty(settings, 'theme', undefinedIfEmpty(changed)));
  const set: SetTheme = (key, value) => setTheme(withProperty(theme, key, value));
  return (
    <Stack gap="md">
      <ReadyThemes
        onChoose={(ready) => {
          const { logo, cover } = theme;
          setTheme({ ...ready, ...(logo && { logo }), ...(cover && { cover }) });
        }}
      />
      <Choice
        label={texts.colorScheme}
        labels={texts.colorSchemes}
        values={['page', 'system', 'light', 'dark']}
        standard="page"
        value={theme.colorScheme}
        onChange={(value) => set('colorScheme', value)}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {(['accent', 'background', 'text'] as const).map((key) => (
          <ColorInput
            key={key}
            label={buildTexts.theme[key]}
            value={theme[key] ?? ''}
            error={error(`theme.${key}`)}
            // Incomplete colors stay as typed; the API reports invalid ones.
            fixOnBlur={false}
            withEyeDropper={false}
            onChange={(color) => set(key, color)}
          />
        ))}
      </SimpleGrid>
      <ContrastWarning theme={theme} />
      <Choice
        label={texts.density}
        labels={texts.densities}
        values={DENSITIES}
        standard="comfortable"
        value={theme.density}
        onChange={(value) => set('density', value)}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberField
          label={buildTexts.theme.radius}
          min={0}
          max={48}
          value={theme.radius}
          error={error('theme.radius')}
          onChange={(value) => set('radius', value)}
        />
        <NumberField
          label={texts.width}
          min={240}
          max={1200}
          allowDecimal={false}
          clampBehavior="none"
          value={theme.width}
          error={error('theme.width')}
          onChange={(value) => set('width', value)}
        />
      </SimpleGrid>
      <FontInputs theme={theme} set={set} error={error} />
      {(['logo', 'cover'] as const).map((key) => (
        <TextInput
          key={key}
          type="url"
          label={texts[key]}
          placeholder="https://"
          value={theme[key] ?? ''}
          error={error(`theme.${key}`)}
          onChange={({ currentTarget }) => set(key, currentTarget.value)}
        />
      ))}
    </Stack>
  );
}

/** One of several values. The standard one is stored as none. */
function Choice<V extends string>({
  label,
  labels,
  values,
  standard,
  value,
  onChange,
}: {
  label: string;
  labels: Readonly<Record<V, string>>;
  values: readonly V[];
  standard: NoInfer<V>;
  value: V | undefined;
  onChange: (value: V | undefined) => void;
}) {
  return (
    <Stack gap={4}>
      <Input.Label labelElement="div">{label}</Input.Label>
      <SegmentedControl
        fullWidth
        aria-label={label}
        value={value ?? standard}
        data={values.map((each) => ({ value: each, label: labels[each] }))}
        onChange={(chosen) => onChange(chosen === standard ? undefined : chosen)}
      />
    </Stack>
  );
}

/** Buttons that replace the theme, except for its pictures. */
function ReadyThemes({ onChoose }: { onChoose: (theme: Theme) => void }) {
  return (
    <Stack gap={4} role="group" aria-label={texts.ready}>
      <Input.Label labelElement="div">{texts.ready}</Input.Label>
      <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="xs">
        {READY_THEMES.map(({ name, theme }) => (
          <UnstyledButton
            key={name}
            aria-label={texts.use(name)}
            p="xs"
            style={{ border: '1px solid var(--mantine-color-default-border)', borderRadius: 8 }}
            onClick={() => onChoose(theme)}
          >
            <Group gap="xs" wrap="nowrap">
              <ColorSwatch size={20} color={theme.background ?? DEFAULT_BACKGROUND}>
                <ColorSwatch size={10} color={theme.accent ?? ''} withShadow={false} />
              </ColorSwatch>
              <Text component="span">{name}</Text>
            </Group>
          </UnstyledButton>
        ))}
      </SimpleGrid>
    </Stack>
  );
}

/** Names each pair of colors that is hard to tell apart. Incomplete colors have no contrast yet. */
function ContrastWarning({ theme }: { theme: Theme }) {
  const problems = themeContrast(theme);
  if (problems.length === 0) return null;
  return (
    <Alert color="yellow" role="status" icon={<IconAlertTriangle aria-hidden />} title={texts.contrast.title}>
      {problems.map(({ property, against, ratio, required }) => {
        const pair =
          property === 'text' && against === 'default'
            ? texts.contrast.textDefault
            : texts.contrast[property];
        return <Text key={property}>{texts.contrast.ratio(pair, ratio, required)}</Text>;
      })}
    </Alert>
  );
}

function FontInputs({ theme: { font }, set, error }: { theme: Theme; set: SetTheme; error: Props['error'] }) {
  const known = (Object.keys(FONTS) as (keyof typeof FONTS)[]).find((key) => FONTS[key] === font);
  const [isCustom, setCustom] = useState(false);
  const value: Font = isCustom || !known ? 'custom' : known;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Select
        label={texts.font}
        value={value}
        allowDeselect={false}
        data={Object.entries(texts.fonts).map(([key, label]) => ({ value: key, label }))}
        onChange={(chosen) => {
          setCustom(chosen === 'custom');
          if (chosen && chosen !== 'custom') set('font', FONTS[chosen as keyof typeof FONTS]);
        }}
      />
      {value === 'custom' && (
        <TextInput
          label={buildTexts.theme.font}
          description={buildTexts.theme.fontHint}
          maxLength={100}
          value={font ?? ''}
          error={error('theme.font')}
          onChange={({ currentTarget }) => set('font', currentTarget.value)}
        />
      )}
    </SimpleGrid>
  );
}
