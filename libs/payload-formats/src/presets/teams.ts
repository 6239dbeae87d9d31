import type { PayloadEvent } from '../event/payload-event.ts';
import { bytesOf, cutText, fit } from './cut-text.ts';
import { piecesOf } from './escape-text.ts';
import { LINK_LABEL, messageOf, moreText, renderRows } from './message.ts';

/** Teams takes messages of 28 KB. In bytes of JSON. */
const ROOM = { rows: 60, total: 22_000 };
const MAX = { title: 500, label: 300, value: 4000 };
/** The JSON of a row without its label and its text. */
const ROW_BYTES = 200;

/**
 * A message for the "incoming webhook" of a Teams workflow: an Adaptive Card. Texts are text runs,
 * in which Teams reads neither Markdown nor mentions.
 */
export function teamsMessage(event: PayloadEvent): object {
  const { title, rows, url } = messageOf(event);
  const { rendered, more } = renderRows(rows, ROOM, (row, room) => {
    const label = cutText(row.label, MAX.label);
    const max = Math.max(Math.min(MAX.value, room - ROW_BYTES - bytesOf(label)), 1);
    const inlines = fit(row.text, max, linkedRuns, bytesOf);
    const blocks = [textBlock([{ ...run(label), weight: 'Bolder' }], 'Medium'), textBlock(inlines, 'None')];
    return { rendered: blocks, size: bytesOf(blocks) };
  });
  const heading = textBlock([{ ...run(cutText(title, MAX.title)), size: 'Large', weight: 'Bolder' }], 'None');
  const rest = more > 0 ? [textBlock([{ ...run(moreText(more)), isSubtle: true }], 'Medium')] : [];
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [heading, ...rendered.flat(), ...rest],
          actions: [{ type: 'Action.OpenUrl', title: LINK_LABEL, url }],
        },
      },
    ],
  };
}

interface TextRun {
  type: 'TextRun';
  text: string;
  weight?: 'Bolder';
  size?: 'Large';
  isSubtle?: true;
  selectAction?: { type: 'Action.OpenUrl'; url: string };
}

const run = (text: string): TextRun => ({ type: 'TextRun', text });
const textBlock = (inlines: readonly TextRun[], spacing: string) => ({
  type: 'RichTextBlock',
  spacing,
  inlines,
});

const linkedRuns = (text: string): TextRun[] =>
  piecesOf(text).map((piece) =>
    piece.isUrl
      ? { ...run(piece.text), selectAction: { type: 'Action.OpenUrl', url: piece.text } }
      : run(piece.text),
  );
