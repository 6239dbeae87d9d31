import { describeWith, sharedMongo } from '@svcforms/test-kit';
import { describeDocumentStore } from './conformance.ts';
import { connectMongoStore } from './mongo.ts';

describeWith(['mongo'], 'the document store on a MongoDB wire server', () => {
  const database = `store-${process.pid}-${Date.now()}`;
  const connect = async () => connectMongoStore({ url: `${await sharedMongo()}/${database}` });

  describeDocumentStore('keeps the contract', async () => ({ store: await connect(), another: connect }));
});
