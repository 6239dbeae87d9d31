import { z } from 'zod';
import { SIMPLE_TRIGGERS, TRIGGERS } from './popup-rules.ts';
import { PopupPages } from './popup-pages.ts';

const delayMs = z.int().min(0).max(3_600_000).meta({
  description: 'Milliseconds of `delay` and `inactivity`. Default: 5000.',
  example: 8000,
});
const scrollPercent = z.number().min(0).max(100).meta({
  description: 'Scroll depth of `scroll`, in percent of the page height. Default: 50.',
  example: 60,
});
const intentLevel = z.enum(['warm', 'hot']).meta({
  description: 'Level of engagement for `intent`. Default: either level.',
  example: 'hot',
});
const selector = z.string().max(500).meta({
  description: 'CSS selector of the elements that `click` and `visible` watch.',
  example: '#pricing .cta',
});
const conditionSelector = selector.refine((text) => text.trim() !== '', 'must be a CSS selector, not empty');

/** One condition of `all`: a simple trigger with its parameter. */
const PopupCondition = z
  .discriminatedUnion('trigger', [
    z.strictObject({
      trigger: z.literal('exit').meta({ description: 'Exit intent.' }),
    }),
    z.strictObject({
      trigger: z.enum(['delay', 'inactivity']).meta({ description: 'Time on page, or inactivity.' }),
      delayMs: delayMs.optional(),
    }),
    z.strictObject({
      trigger: z.literal('scroll').meta({ description: 'Scroll depth.' }),
      scrollPercent: scrollPercent.optional(),
    }),
    z.strictObject({
      trigger: z.enum(['click', 'visible']).meta({ description: 'Click on an element, or element visible.' }),
      selector: conditionSelector,
    }),
    z.strictObject({
      trigger: z.literal('intent').meta({ description: 'Engagement, from the analytics product.' }),
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
    description: 'The two conditions of `all`; both must be met.',
    example: [{ trigger: 'exit' }, { trigger: 'delay', delayMs: 30_000 }],
  });

const exitSensitivityPx = z.int().min(0).max(1000).meta({
  description: 'Distance from the top edge, in pixels, that counts as exit intent. Default: 20.',
  example: 20,
});
const mouseLeaveDelayMs = z.int().min(0).max(60_000).meta({
  description:
    'Milliseconds that the cursor must be outside the page before it counts as exit intent. Default: 1000.',
  example: 1000,
});

const days = z.int().min(0).max(3650);

const PopupDecline = z
  .strictObject({
    enabled: z.boolean().meta({ description: 'Whether the popup has a decline button.' }).optional(),
    text: z
      .string()
      .max(80)
      .meta({ description: 'Label of the decline button. Default: No thanks.', example: 'Not now' })
      .optional(),
    suppressDays: days
      .meta({
        description:
          'Days without the popup after a decline. Default: 90. 0: `frequencyDays` applies instead.',
        example: 90,
      })
      .optional(),
  })
  .meta({ id: 'PopupDecline', description: 'Decline button of the popup.' });

const TrackingConsent = z
  .strictObject({
    cookie: z
      .string()
      .meta({ description: 'Cookie that stores the consent.', example: 'OptanonConsent' })
      .optional(),
    storageKey: z
      .string()
      .meta({ description: 'Browser storage key that stores the consent.', example: 'klaro' })
      .optional(),
    windowPath: z
      .string()
      .meta({
        description: 'Path of the window property that contains the consent.',
        example: 'Cookiebot.consent',
      })
      .optional(),
    category: z
      .string()
      .meta({ description: 'Consent category to read if there are several.', example: 'statistics' })
      .optional(),
    consentMode: z
      .union([z.literal(true), z.string()])
      .meta({
        description: '`true` reads `analytics_storage` from `dataLayer`; a string reads that key.',
        example: 'ad_storage',
      })
      .optional(),
  })
  .meta({
    id: 'TrackingConsent',
    description:
      "Where the site's consent banner stores the consent. Without consent, popup events are not counted; the popup still opens.",
  });

/**
 * `settings.popup` as it is stored and returned, without defaults. See
 * docs/reference/popups.md#popup-settings.
 */
export const Popup = z
  .strictObject({
    enabled: z
      .boolean()
      .meta({ description: 'Whether popup mode is on. Default: false.', example: true })
      .optional(),
    trigger: z
      .enum(TRIGGERS)
      .meta({ description: 'Trigger that opens the popup; required if popup mode is on.', example: 'scroll' })
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
      .meta({ description: 'Devices that show the popup. Default: all.', example: 'desktop' })
      .optional(),
    pages: PopupPages.optional(),
    frequencyDays: days
      .meta({
        description:
          'Frequency cap: days before the same visitor sees the popup again. Default: 30. 0: once per session.',
        example: 14,
      })
      .optional(),
    maxShows: z
      .int()
      .min(1)
      .max(1000)
      .meta({ description: 'Maximum impressions per visitor. Default: no maximum.', example: 3 })
      .optional(),
    decline: PopupDecline.optional(),
    trackingConsent: TrackingConsent.optional(),
  })
  .meta({ id: 'Popup', description: 'Popup settings of a form.' });
export type Popup = z.output<typeof Popup>;

/**
 * `settings.popup` in requests, where `null` removes a saved trigger parameter. See
 * docs/reference/popups.md#saved-trigger-parameters.
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
    'Popup settings of a form. In a PUT, an absent trigger parameter keeps its saved value and null removes it.',
});
export type PopupIn = z.output<typeof PopupIn>;

function removable<T extends z.ZodType>(parameter: T) {
  return parameter
    .nullable()
    .meta(parameter.meta() ?? {})
    .optional();
}
