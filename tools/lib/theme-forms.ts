import { READY_THEMES, type Placement } from '@svcforms/contracts';
import { post } from './api.ts';

/** The placements of the gallery and of the contact sheets, with their names for people. */
export const PLACEMENT_NAMES: Readonly<Record<Placement, string>> = {
  inline: 'Inline',
  modal: 'Modal',
  'slide-in': 'Slide-in',
  bar: 'Bar',
  fullscreen: 'Full screen',
};

/** A form in a ready theme and a placement. */
interface ThemeForm {
  theme: string;
  placement: Placement;
  id: string;
}

/** Creates a form in each placement for the ready themes of these names. */
export async function createThemeForms(
  baseUrl: string,
  apiKey: string,
  names: readonly string[] = READY_THEMES.map(({ name }) => name),
): Promise<ThemeForm[]> {
  const forms: ThemeForm[] = [];
  for (const { name, theme } of READY_THEMES.filter((ready) => names.includes(ready.name))) {
    for (const placement of Object.keys(PLACEMENT_NAMES) as Placement[]) {
      const popup = {
        enabled: true,
        trigger: 'delay',
        delayMs: 0,
        frequencyDays: 0,
        decline: { enabled: true },
      };
      const { id } = await post(baseUrl, apiKey, '/api/forms', {
        name: 'News from the bakery',
        title: 'News from the bakery',
        fields: placement === 'bar' ? [EMAIL] : [EMAIL, OFTEN, VISIT],
        settings: {
          theme,
          submitLabel: 'Keep me posted',
          language: 'en',
          translations: { ar: placement === 'bar' ? ARABIC_BAR : ARABIC },
          ...(placement !== 'inline' && { popup, placement }),
        },
      });
      forms.push({ theme: name, placement, id });
    }
  }
  return forms;
}

const EMAIL = {
  name: 'email',
  type: 'email',
  label: 'Email',
  required: true,
  placeholder: 'you@example.com',
};
const OFTEN = {
  name: 'often',
  type: 'radio',
  label: 'How often?',
  options: [
    { value: 'week', label: 'Every week' },
    { value: 'month', label: 'Once a month' },
  ],
  defaultValue: 'month',
};
const VISIT = { name: 'visit', type: 'rating', label: 'How was your visit?', defaultValue: 4 };

const ARABIC_BAR = {
  title: 'أخبار المخبز',
  submitLabel: 'أبقوني على اطلاع',
  declineText: 'لا، شكرًا',
  fields: { email: { label: 'البريد الإلكتروني' } },
};
const ARABIC = {
  ...ARABIC_BAR,
  fields: {
    ...ARABIC_BAR.fields,
    often: { label: 'كم مرة؟', options: { week: 'كل أسبوع', month: 'مرة في الشهر' } },
    visit: { label: 'كيف كانت زيارتك؟' },
  },
};
