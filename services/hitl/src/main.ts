import { runService } from '@svcforms/service-runner';
import { hitlConfig } from './config.ts';
import { createHitl } from './service.ts';

runService('hitl', ['bus', 'secretBox', 'guard', 'client'], ({ settings, ...deps }) =>
  createHitl(hitlConfig(settings), deps),
);
