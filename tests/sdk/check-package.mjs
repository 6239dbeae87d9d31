// node tests/sdk/check-package.mjs <tarball>: prints as JSON what arethetypeswrong and publint say.
// A program of its own, because jest can't load them: they are ES modules.
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { readFileSync } from 'node:fs';
import { publint } from 'publint';

const data = new Uint8Array(readFileSync(process.argv[2] ?? ''));
const checked = await checkPackage(createPackageFromTarballData(data));
if (!checked.types) throw new Error('The package has no types');
const { problems } = checked;
const { messages } = await publint({ strict: true, pack: { tarball: data.buffer } });
process.stdout.write(JSON.stringify({ problems, messages }));
