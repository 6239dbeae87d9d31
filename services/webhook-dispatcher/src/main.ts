import { runService } from '@svcforms/service-runner';
import { dispatcherConfig, mailerOptions } from './config.ts';
import { createMailer } from './mail/mailer.ts';
import { createDispatcher } from './service.ts';

runService('webhook-dispatcher', ['bus', 'secretBox', 'client'], ({ settings, closer, ...deps }) => {
  const mailer = closer.add(createMailer(mailerOptions(settings)));
  return createDispatcher(dispatcherConfig(settings, { soleProcess: false }), { ...deps, mailer });
});
