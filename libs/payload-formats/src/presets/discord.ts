import type { PayloadEvent } from '../event/payload-event.ts';
import { fit } from './cut-text.ts';
import { escapeMarkdown, piecesOf } from './escape-text.ts';
import { LINK_LABEL, messageOf, moreText, renderRows } from './message.ts';

/**
 * Discord takes 25 fields and 6000 characters in all embeds together; title and footer need some.
 */
const ROOM = { rows: 25, total: 5800 };
const MAX = { content: 2000, label: 256, value: 1024 };

const length = ({ length: size }: string) => size;

/**
 * A message for a webhook of Discord: the title as text, which notifications show, and an embed.
 * Nobody is mentioned.
 */
export function discordMessage(event: PayloadEvent): object {
  const { title, rows, url, timestamp } = messageOf(event);
  const { rendered, more } = renderRows(rows, ROOM, (row, room) => {
    const name = fit(row.label, Math.min(MAX.label, Math.floor(room / 2)), escapeMarkdown, length);
    const value = fit(row.text, Math.min(MAX.value, room - name.length), escapedText, length);
    return { rendered: { name, value }, size: name.length + value.length };
  });
  return {
    content: fit(title, MAX.content, escapeMarkdown, length),
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: LINK_LABEL,
        url,
        timestamp,
        ...(rendered.length > 0 ? { fields: rendered } : {}),
        ...(more > 0 ? { footer: { text: moreText(more) } } : {}),
      },
    ],
  };
}

/** Discord links URLs itself, and an escape character inside would become a part of them. */
const escapedText = (text: string): string =>
  piecesOf(text)
    .map((piece) => (piece.isUrl ? piece.text : escapeMarkdown(piece.text)))
    .join('');
