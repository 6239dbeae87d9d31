import { runService } from '@svcforms/service-runner';
import { dispatcherConfig, mailerOptions } from './config.ts';
import { createMailer } from './mail/mailer.ts';
import { createDispatcher } from './service.ts';

runService('webhook-dispatcher', ['bus', 'secretBox', 'client'], ({ settings, closer, ...deps }) => {
  const options = mailerOptions(settings);
  if (options.smtpUrl === undefined) {
    deps.log.warn(
      { event: 'mail.files', folder: options.folder },
      'SMTP_URL is not set: emails are not sent, but stored as files, of which the newest 32 MiB stay',
    );
  }
  const mailer = closer.add(createMailer(options));
  return createDispatcher(dispatcherConfig(settings, { soleProcess: false }), { ...deps, mailer });
});
