import { runAdmin } from './run-admin.ts';

void runAdmin(process.argv.slice(2), process).then((code) => {
  process.exitCode = code;
});
