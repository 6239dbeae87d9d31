import type { BusEvent } from '@svcforms/contracts';
import type { BusMessage } from '@svcforms/event-bus';
import type { Collection, CollectionSpec, StoredDocument } from '@svcforms/document-store';

/**
 * A message that couldn't be processed, kept for an operator. `_id` is its position in the event
 * log.
 */
export interface DeadLetterRecord extends StoredDocument {
  /** ISO 8601. */
  at: string;
  reason: string;
  /** The event, as JSON text. */
  event: string;
}

export const DEAD_LETTERS: CollectionSpec<DeadLetterRecord> = { name: 'dead_letters', indexes: [] };

/** Keeps the message. A repeated message replaces itself. */
export async function keepDeadLetter(
  deadLetters: Collection<DeadLetterRecord>,
  { event, position }: BusMessage,
  facts: { at: string; reason: string },
): Promise<void> {
  await deadLetters.updateOne(
    { _id: position },
    { $set: { ...facts, event: JSON.stringify(event) } },
    { upsert: true },
  );
}

/**
 * Removes the messages that `isErased` selects. There are few dead letters, because each is a
 * failure to investigate.
 */
export async function eraseDeadLetters(
  deadLetters: Collection<DeadLetterRecord>,
  isErased: (event: BusEvent) => boolean,
): Promise<void> {
  const kept = await deadLetters.find({});
  const erased = kept.filter(({ event }) => isErased(JSON.parse(event) as BusEvent));
  if (erased.length > 0) await deadLetters.deleteMany({ _id: { $in: erased.map(({ _id }) => _id) } });
}
