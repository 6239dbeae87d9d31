// node tools/run.mjs build/cli: bundles the command line alone, including when npm packs it.
import { root } from '@svcforms/test-kit';
import { bundleCli } from './bundle-cli.ts';

await bundleCli(`${root}sdks/cli/dist`);
