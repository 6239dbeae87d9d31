import { z } from 'zod';
import { SIMPLE_TRIGGERS, TRIGGERS } from './popup-rules.ts';
import { PopupPages } from './popup-pages.ts';

const delayMs = z.int().min(0).max(3_600_000).meta({
  description: 'Milliseconds: the delay of `delay`, the idle window of `inactivity`. Absent: 5000.',
  example: 8000,
});
const scrollPercent = z.number().min(0).max(100).meta({
  description: 'Percent of the page height that `scroll` waits for. Absent: 50.',
  example: 60,
});
const intentLevel = z.enum(['warm', 'hot']).meta({
  description: 'How engaged a session has to be for `intent`. Absent: either level.',
  example: 'hot',
});
const selector = z.string().max(500).meta({
  description: 'CSS selector of the elements that `click` and `visible` watch.',
  example: '#pricing .cta',
});
const conditionSelector = selector.refine((text) => text.trim() !== '', 'must be a CSS selector, not empty');

/** One half of `all`: a simple trigger with its parameter. */
const PopupCondition = z
  .discriminatedUnion('trigger', [
    z.strictObject({
      trigger: z.literal('exit').meta({ description: 'The visitor is about to leave.' }),
    }),
    z.strictObject({
      trigger: z.enum(['delay', 'inactivity']).meta({ description: 'Time has passed.' }),
      delayMs: delayMs.optional(),
    }),
    z.strictObject({
      trigger: z.literal('scroll').meta({ description: 'The visitor is deep enough in the page.' }),
      scrollPercent: scrollPercent.optional(),
    }),
    z.strictObject({
      trigger: z.enum(['click', 'visible']).meta({ description: 'An element is clicked or seen.' }),
      selector: conditionSelector,
    }),
    z.strictObject({
      trigger: z.literal('intent').meta({ description: 'The analytics product reads engagement.' }),
      intentLevel: intentLevel.optional(),
    }),
  ])
  .meta({
    id: 'PopupCondition',
    description: `One of the two conditions of \`all\`: a trigger (${SIMPLE_TRIGGERS.join(', ')}) and its parameter.`,
    example: { trigger: 'scroll', scrollPercent: 40 },
  });

const and = z
  .array(PopupCondition)
  .length(2)
  .meta({
    description: 'The two conditions of `all`; both must have fired.',
    example: [{ trigger: 'exit' }, { trigger: 'delay', delayMs: 30_000 }],
  });

const exitSensitivityPx = z.int().min(0).max(1000).meta({
  description: 'Pixels below the top edge that still count as leaving there. Absent: 20.',
  example: 20,
});
const mouseLeaveDelayMs = z.int().min(0).max(60_000).meta({
  description: 'Milliseconds before a cursor that left is believed gone. Absent: 1000.',
  example: 1000,
});

const days = z.int().min(0).max(3650);

const PopupDecline = z
  .strictObject({
    enabled: z.boolean().meta({ description: 'Whether the popup shows a control to decline it.' }).optional(),
    text: z
      .string()
      .max(80)
      .meta({ description: 'Its label. Absent: No thanks.', example: 'Not now' })
      .optional(),
    suppressDays: days
      .meta({
        description:
          'Days without the popup after declining. Absent: 90. 0: `frequencyDays` applies instead.',
        example: 90,
      })
      .optional(),
  })
  .meta({ id: 'PopupDecline', description: 'The explicit no of a visitor.' });

const TrackingConsent = z
  .strictObject({
    cookie: z
      .string()
      .meta({ description: 'Cookie that holds the answer.', example: 'OptanonConsent' })
      .optional(),
    storageKey: z
      .string()
      .meta({ description: 'Browser storage key that holds the answer.', example: 'klaro' })
      .optional(),
    windowPath: z
      .string()
      .meta({ description: 'Path of the window property that holds it.', example: 'Cookiebot.consent' })
      .optional(),
    category: z
      .string()
      .meta({ description: 'Which permission to read where there are several.', example: 'statistics' })
      .optional(),
    consentMode: z
      .union([z.literal(true), z.string()])
      .meta({
        description: '`true` reads `analytics_storage` from `dataLayer`, a text reads that other key.',
        example: 'ad_storage',
      })
      .optional(),
  })
  .meta({
    id: 'TrackingConsent',
    description: "Where the site's own banner leaves its answer; a no stops counting and nothing else.",
  });

/**
 * `settings.popup` as saved and returned, without defaults. docs/reference/popups.md#popup-settings
 */
export const Popup = z
  .strictObject({
    enabled: z
      .boolean()
      .meta({ description: 'Popup mode on or off. Absent: off.', example: true })
      .optional(),
    trigger: z
      .enum(TRIGGERS)
      .meta({ description: 'What opens the popup; required while it is enabled.', example: 'scroll' })
      .optional(),
    delayMs: delayMs.optional(),
    scrollPercent: scrollPercent.optional(),
    intentLevel: intentLevel.optional(),
    selector: selector.optional(),
    and: and.optional(),
    exitSensitivityPx: exitSensitivityPx.optional(),
    mouseLeaveDelayMs: mouseLeaveDelayMs.optional(),
    devices: z
      .enum(['all', 'desktop', 'mobile'])
      .meta({ description: 'Devices that get the popup. Absent: all.', example: 'desktop' })
      .optional(),
    pages: PopupPages.optional(),
    frequencyDays: days
      .meta({
        description: 'Days before the same visitor sees it again. Absent: 30. 0: once per session.',
        example: 14,
      })
      .optional(),
    maxShows: z
      .int()
      .min(1)
      .max(1000)
      .meta({ description: 'How often one visitor may ever see it. Absent: no cap.', example: 3 })
      .optional(),
    decline: PopupDecline.optional(),
    trackingConsent: TrackingConsent.optional(),
  })
  .meta({ id: 'Popup', description: 'How the form opens as a popup.' });
export type Popup = z.output<typeof Popup>;

/**
 * `settings.popup` in requests: `null` removes a saved trigger parameter.
 * docs/reference/popups.md#saved-trigger-parameters
 */
export const PopupIn = Popup.extend({
  delayMs: removable(delayMs),
  scrollPercent: removable(scrollPercent),
  intentLevel: removable(intentLevel),
  selector: removable(selector),
  and: removable(and),
  exitSensitivityPx: removable(exitSensitivityPx),
  mouseLeaveDelayMs: removable(mouseLeaveDelayMs),
}).meta({
  id: 'PopupIn',
  description:
    'How the form opens as a popup. In a PUT, a trigger parameter that is absent keeps its saved value and null removes it.',
});
export type PopupIn = z.output<typeof PopupIn>;

function removable<T extends z.ZodType>(parameter: T) {
  return parameter
    .nullable()
    .meta(parameter.meta() ?? {})
    .optional();
}
