import { runAdmin } from './run-admin.ts';

// The pinned line of the S3 client supports Node.js 20, and warns that later ones don't.
// docs/adr/0001-dependencies.md
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

void runAdmin(process.argv.slice(2), process).then((code) => {
  process.exitCode = code;
});
