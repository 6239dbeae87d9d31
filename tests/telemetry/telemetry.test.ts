import { atEnd, describeWith, startNats } from '@svcforms/test-kit';
import { startEmbedded, startServices, type TracedProduct } from './product.ts';
import { traceScenarios } from './trace-scenarios.ts';

describe('traces and metrics of the embedded product', () => {
  let product: TracedProduct;
  beforeAll(async () => {
    product = await startEmbedded();
  });
  traceScenarios(() => product, 'svcforms');
});

describeWith(['nats', 'mongo'], 'traces and metrics of the services on NATS and MongoDB', () => {
  let product: TracedProduct;
  beforeAll(async () => {
    const nats = await startNats();
    atEnd(() => nats.remove());
    product = await startServices(nats.url);
  });
  traceScenarios(() => product, 'nats');
});
