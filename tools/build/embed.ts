// node tools/run.mjs build/embed [folder]: builds the scripts for browsers alone.
import { root } from '@svcforms/test-kit';
import { bundleEmbed } from './bundle-embed.ts';

await bundleEmbed(process.argv[2] ?? `${root}dist/embed`);
