import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { describeWith, startNats, type Engine } from '@svcforms/test-kit';
import { describeEventBus } from './conformance.ts';
import { connectNatsBus } from './nats.ts';
import { STREAM } from './nats/stream.ts';

describeWith(['nats'], 'the event bus on NATS', () => {
  let engine: Engine;
  let raw: NatsConnection;
  let jsm: JetStreamManager;

  beforeAll(async () => {
    engine = await startNats();
    raw = await connect({ servers: new URL(engine.url).host, maxReconnectAttempts: -1 });
    jsm = await jetstreamManager(raw);
  }, 120_000);
  afterAll(async () => {
    await raw?.close();
    await engine?.remove();
  });

  const open = () => connectNatsBus({ url: engine.url, name: 'test', maxBytes: 256 * 1024 ** 2 });

  describeEventBus('keeps the contract', async () => {
    await jsm.streams.delete(STREAM).catch(() => false);
    return open;
  });
});
