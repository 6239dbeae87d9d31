import type { BusEvent } from '@svcforms/contracts';
import type { BusMessage } from '@svcforms/event-bus';
import type { Collection, CollectionSpec, StoredDocument } from '@svcforms/document-store';

/** A message of the bus that nothing could be made of, kept for a person to look at. `_id` is its position in the log. */
export interface DeadLetterRecord extends StoredDocument {
  /** ISO 8601. */
  at: string;
  reason: string;
  /** The event, as JSON text. */
  event: string;
}

export const DEAD_LETTERS: CollectionSpec = { name: 'dead_letters', indexes: [] };

/** Keeps the message; the same message again replaces itself. */
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

/** Removes the messages that `isErased` knows. There are few: each is a failure that somebody should look at. */
export async function eraseDeadLetters(
  deadLetters: Collection<DeadLetterRecord>,
  isErased: (event: BusEvent) => boolean,
): Promise<void> {
  const kept = await deadLetters.find({});
  const erased = kept.filter(({ event }) => isErased(JSON.parse(event) as BusEvent));
  if (erased.length > 0) await deadLetters.deleteMany({ _id: { $in: erased.map(({ _id }) => _id) } });
}
