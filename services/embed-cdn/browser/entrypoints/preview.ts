import type { PreviewRequest, PublicForm } from '@svcforms/contracts';
import { playable, playPopup } from '../preview/play-popup.ts';
import { postPreviewEvent, followStep, showThankYou, withoutFocus } from '../preview/show-form.ts';
import * as choices from '../parts/choices.ts';
import * as content from '../parts/content.ts';
import * as inline from '../parts/inline.ts';
import * as logic from '../parts/logic.ts';
import * as pictures from '../parts/pictures.ts';
import * as placements from '../parts/placements.ts';
import * as rules from '../parts/rules.ts';
import { parts } from '../ui/parts.ts';
import { stayOffline } from '../preview/stay-offline.ts';

Object.assign(parts, { choices, content, inline, logic, pictures, placements, rules });
let played: PublicForm | undefined;
stayOffline(() => played);

addEventListener('message', (event: MessageEvent<PreviewRequest | undefined>) => {
  if (event.source !== parent || parent === window || !event.data?.show) return;
  const request = event.data;
  if (request.show === 'form') followStep(request.form, request.step ?? 1);
  else if (request.show === 'thankYou') showThankYou(request.form);
  else if (!played) {
    played = playable(request.form, request.step);
    if (request.keepsFocus) withoutFocus();
    void playPopup(played, request);
  }
});
postPreviewEvent('ready');
