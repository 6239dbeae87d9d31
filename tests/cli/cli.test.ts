import { commandScenarios } from './command-scenarios.ts';
import { openFixture, type CliFixture } from './fixture.ts';
import { listenScenarios } from './listen-scenarios.ts';

jest.setTimeout(60_000);

let opened: CliFixture | undefined;
const fixture = (): CliFixture => {
  if (!opened) throw new Error('the fixture is not open');
  return opened;
};

beforeAll(async () => {
  opened = await openFixture();
}, 120_000);

describe('svcforms listen', () => {
  listenScenarios(fixture);
});

describe('svcforms', () => {
  commandScenarios(fixture);
});
