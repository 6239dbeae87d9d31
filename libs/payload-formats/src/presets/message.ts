import { answersOf } from '../event/answers.ts';
import { parseEnvelope, titleOf, urlOf, type PayloadEvent } from '../event/payload-event.ts';

/** What the messages of all chat apps show of an event. */
export interface Message {
  title: string;
  /** Rows with a label, such as the answers of a submission. No text is empty. */
  rows: Iterable<Row>;
  /** The page of the event in the dashboard. */
  url: string;
  /** ISO 8601. */
  timestamp: string;
}

export interface Row {
  label: string;
  text: string;
}

export const LINK_LABEL = 'Open in SvcForms';

export function messageOf(event: PayloadEvent): Message {
  const envelope = parseEnvelope(event.body);
  return {
    title: titleOf(event),
    rows: rowsOf(event, envelope.data, envelope),
    url: urlOf(event),
    timestamp: envelope.timestamp,
  };
}

function* rowsOf(
  event: PayloadEvent,
  data: Record<string, unknown>,
  envelope: ReturnType<typeof parseEnvelope>,
): Generator<Row> {
  if (event.type.startsWith('hitl.')) {
    for (const [key, label] of TASK_ROWS) {
      const text = data[key];
      if (typeof text === 'string' && text.trim() !== '') yield { label, text: shownText(text) };
    }
  }
  for (const { label, text } of answersOf(event, envelope)) {
    const shown = shownText(text);
    // Chat apps refuse empty texts, and an empty answer says nothing.
    if (shown !== '') yield { label: shownText(label) || '-', text: shown };
  }
}

/** More than any chat app accepts. */
const MAX_TEXT = 30_000;

/** Without halves of characters, which some chat apps refuse. */
const shownText = (text: string): string =>
  text
    .trim()
    .slice(0, MAX_TEXT)
    .replace(/\p{Surrogate}/gu, '\ufffd');

const TASK_ROWS = [
  ['title', 'Title'],
  ['priority', 'Priority'],
  ['expiresAt', 'Expires'],
  ['reason', 'Reason'],
] as const;

interface RoomForRows {
  /** The most rows. */
  rows: number;
  /** The room for all rows together. */
  total: number;
}

/** Less room than this isn't worth a row. */
const MIN_ROOM = 80;

/**
 * Renders rows while there is room. `render` gets the room that is left; `more`: how many rows were
 * left out.
 */
export function renderRows<T>(
  rows: Iterable<Row>,
  { rows: maxRows, total }: RoomForRows,
  render: (row: Row, room: number) => { rendered: T; size: number },
): { rendered: T[]; more: number } {
  const all: T[] = [];
  let room = total;
  let more = 0;
  for (const row of rows) {
    if (all.length >= maxRows || room < MIN_ROOM) {
      more += 1;
      continue;
    }
    const { rendered, size } = render(row, room);
    all.push(rendered);
    room -= size;
  }
  return { rendered: all, more };
}

export const moreText = (more: number): string =>
  more === 1 ? 'and 1 more answer' : `and ${more} more answers`;
