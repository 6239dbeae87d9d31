import { escapeMrkdwn } from '@svcforms/primitives';
import type { PayloadEvent } from '../event/payload-event.ts';
import { cutText, fit } from './cut-text.ts';
import { piecesOf } from './escape-text.ts';
import { LINK_LABEL, messageOf, moreText, renderRows } from './message.ts';

/** Slack takes 50 blocks; title, footer and the number of other rows are three. */
const ROOM = { rows: 40, total: 10_000 };
const MAX = { header: 150, fallback: 300, label: 200, section: 3000 };

const length = ({ length: size }: string) => size;

/** A message for an incoming webhook of Slack, in Block Kit. `text` is what notifications show. */
export function slackMessage(event: PayloadEvent): object {
  const { title, rows, url, timestamp } = messageOf(event);
  const { rendered, more } = renderRows(rows, ROOM, (row, room) => {
    const label = `*${fit(oneLine(row.label), MAX.label, escapeLabel, length)}*\n`;
    const max = Math.max(Math.min(MAX.section, room) - label.length, 1);
    const text = label + fit(row.text, max, linkedText, length);
    return { rendered: { type: 'section', text: mrkdwn(text) }, size: text.length };
  });
  const at = Math.floor(Date.parse(timestamp) / 1000);
  const footer = `<${linkUrl(url)}|${LINK_LABEL}> · <!date^${at}^{date_short_pretty} {time}|${timestamp}>`;
  const footers = [...(more > 0 ? [moreText(more)] : []), footer];
  return {
    text: fit(title, MAX.fallback, escapeMrkdwn, length),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cutText(title, MAX.header), emoji: false } },
      ...rendered,
      { type: 'context', elements: footers.map(mrkdwn) },
    ],
  };
}

/**
 * Slack must not turn `@channel` or `#general` in what people wrote into mentions, so it is told to
 * link nothing itself.
 */
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });

const linkedText = (text: string): string =>
  piecesOf(text)
    .map((piece) => (piece.isUrl ? `<${linkUrl(piece.text)}>` : escapeMrkdwn(piece.text)))
    .join('');

const linkUrl = (url: string): string => escapeMrkdwn(url).replaceAll('|', '%7C');
const oneLine = (text: string): string => text.replace(/\s+/g, ' ');
/** An asterisk would end the bold text. */
const escapeLabel = (label: string): string => escapeMrkdwn(label.replaceAll('*', '∗'));
