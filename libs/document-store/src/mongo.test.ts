import { describeWith, sharedMongo } from '@svcforms/test-kit';
import { describeDocumentStore } from '../test/conformance.ts';
import { describeKills } from '../test/conformance/kills.ts';
import { connectMongoStore } from './mongo.ts';

describeWith(['mongo'], 'the document store on a MongoDB wire server', () => {
  /** A URL with a new database. */
  const newAddress = async () => `${await sharedMongo()}/store-${crypto.randomUUID().slice(0, 8)}`;

  describeKills('mongo', async () => {
    const address = await newAddress();
    return {
      address,
      async open() {
        const store = await connectMongoStore({ url: address });
        return { store, close: () => store.close() };
      },
    };
  });

  describeDocumentStore('keeps the contract', async () => {
    const url = await newAddress();
    const connect = () => connectMongoStore({ url });
    return { store: await connect(), another: connect };
  });
});
