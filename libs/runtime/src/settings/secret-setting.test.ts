import { tempFolder } from '@svcforms/test-kit';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSecret } from './secret-setting.ts';
import { readSettings } from './settings.ts';

describe('a secret in a file', () => {
  function fileWith(content: string): string {
    const file = join(tempFolder(), 'secret');
    writeFileSync(file, content);
    return file;
  }
  const token = (file: string) =>
    readSecret(readSettings({ SVC_SLACK_BOT_TOKEN_FILE: file }), 'SVC_SLACK_BOT_TOKEN');

  it('is read without the line break at its end', () => {
    expect(token(fileWith('xoxb-1-a\n'))).toBe('xoxb-1-a');
  });

  it.each([
    ['another kind of token', 'xoxp-hunter2'],
    ['two lines', 'xoxb-hunter2\nxoxb-hunter2'],
    ['an assignment', 'SVC_SLACK_BOT_TOKEN=xoxb-hunter2'],
  ])('is refused as in the environment if it is %s, and not shown', (_, content) => {
    const file = fileWith(content);
    expect(() => token(file)).toThrow(
      `SVC_SLACK_BOT_TOKEN_FILE ${file}: its content must be the bot token of a Slack app, which begins with xoxb-`,
    );
  });

  it('is refused if it is too short', () => {
    const settings = readSettings({ SVC_SLACK_SIGNING_SECRET_FILE: fileWith('short') });
    expect(() => readSecret(settings, 'SVC_SLACK_SIGNING_SECRET')).toThrow(
      'its content must have at least 16 characters',
    );
  });

  it('is refused if the file is empty or absent', () => {
    expect(() => token(fileWith(' \n'))).toThrow('is empty');
    expect(() => token('/does/not/exist')).toThrow("SVC_SLACK_BOT_TOKEN_FILE /does/not/exist can't be read");
  });
});
