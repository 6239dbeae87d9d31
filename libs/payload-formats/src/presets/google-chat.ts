import { escapeMrkdwn as escapeTags } from '@svcforms/primitives';
import type { PayloadEvent } from '../event/payload-event.ts';
import { bytesOf, cutText, fit } from './cut-text.ts';
import { piecesOf } from './escape-text.ts';
import { LINK_LABEL, messageOf, moreText, renderRows } from './message.ts';

/** Google Chat takes 100 widgets in a card and 32,000 bytes in a message. In bytes of JSON. */
const ROOM = { rows: 80, total: 24_000 };
const MAX = { title: 200, label: 300, value: 4000 };
/** The JSON of a row without its label and its text. */
const ROW_BYTES = 60;

/**
 * A message for a webhook of Google Chat: a card without `text`, because only there `<users/all>`
 * mentions somebody.
 */
export function googleChatMessage(event: PayloadEvent): object {
  const { title, rows, url } = messageOf(event);
  const { rendered, more } = renderRows(rows, ROOM, (row, room) => {
    const label = fit(row.label, MAX.label, escapeTags, bytesOf);
    const max = Math.max(Math.min(MAX.value, room - ROW_BYTES - bytesOf(label)), 1);
    const text = `<b>${label}</b>\n${fit(row.text, max, linkedText, bytesOf)}`;
    const widget = { textParagraph: { text } };
    return { rendered: widget, size: bytesOf(widget) };
  });
  const rest = more > 0 ? [{ textParagraph: { text: moreText(more) } }] : [];
  const button = { text: LINK_LABEL, onClick: { openLink: { url } } };
  return {
    cardsV2: [
      {
        cardId: 'event',
        card: {
          header: { title: cutText(title, MAX.title) },
          sections: [{ widgets: [...rendered, ...rest, { buttonList: { buttons: [button] } }] }],
        },
      },
    ],
  };
}

/** Texts of cards are a small part of HTML. */
const linkedText = (text: string): string =>
  piecesOf(text)
    .map((piece) => {
      const escaped = escapeTags(piece.text);
      return piece.isUrl ? `<a href="${escaped}">${escaped}</a>` : escaped;
    })
    .join('');
