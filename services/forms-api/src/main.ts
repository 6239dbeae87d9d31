import { ensureFirstAccount, runService } from '@svcforms/service-runner';
import { formsApiConfig } from './config.ts';
import { createFormsApi } from './service.ts';

runService('forms-api', ['bus', 'secretBox', 'guard', 'client'], async ({ settings, ...deps }) => {
  const service = createFormsApi(formsApiConfig(settings, { folder: __dirname }), deps);
  await ensureFirstAccount(deps.store, settings, { log: deps.log });
  return service;
});
