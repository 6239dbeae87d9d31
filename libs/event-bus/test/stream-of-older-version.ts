import { AckPolicy, DeliverPolicy, jetstreamManager } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';
import { STREAM } from '../src/nats/stream.ts';

/**
 * Works on the stream of a NATS server as version 0.1.0 did: one event for each message, consumers
 * that read every message.
 */
export async function openStreamOfOlderVersion(url: string) {
  const nc = await connect({ servers: new URL(url).host });
  const jsm = await jetstreamManager(nc);
  const lastSeq = async () => (await jsm.streams.info(STREAM)).state.last_seq;
  return {
    lastSeq,
    close: () => nc.close(),
    lastSubject: async () =>
      (await jsm.streams.getMessage(STREAM, { last_by_subj: 'svc.evt.>' }))?.subject ?? '',
    /** The number of messages that a consumer hasn't acknowledged. */
    async unacknowledged(name: string): Promise<number> {
      const { num_pending, num_ack_pending } = await jsm.consumers.info(STREAM, name);
      return num_pending + num_ack_pending;
    },
    deleteConsumer: (name: string) => jsm.consumers.delete(STREAM, name),
    /** Creates a consumer that has read everything so far. */
    async addConsumer(name: string): Promise<void> {
      await jsm.consumers.add(STREAM, {
        durable_name: name,
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: (await lastSeq()) + 1,
        ack_policy: AckPolicy.Explicit,
        ack_wait: 30e9,
        max_deliver: -1,
        max_ack_pending: 10_000,
      });
    },
    async publish(meta: { id: string; accountId: string; type: string }, body: string): Promise<void> {
      const of = headers();
      of.set('Nats-Msg-Id', meta.id);
      of.set('Svc-Event', JSON.stringify(meta));
      await jsm.jetstream().publish(`svc.evt.${meta.accountId}.${meta.type}`, body, { headers: of });
    },
  };
}
