/** Tasks in Slack: the channels, and the connection of a user. */
export const slackTexts = {
  title: 'Slack',
  channel: 'Channel for new tasks',
  channelHint: 'ID of a channel that the app was invited to, such as C0123456789. Leave empty for none.',
  test: 'Send test message',
  testSent: (channel: string) => `Test message sent to ${channel}.`,
  formChannel: 'Slack channel',
  formChannelHint:
    'ID of the channel, or “none”. Leave empty to use the channel of the account, or none if only some groups see the form.',
  notConnected: 'Not connected. Click a button of a task in Slack to get your link.',
  connected: (slackUser: string, date: string) => `Connected as ${slackUser} since ${date}.`,
  disconnect: 'Disconnect',
  disconnectTitle: 'Disconnect your Slack user?',
  disconnectText: 'Your clicks in Slack will no longer decide tasks.',
  disconnected: 'Slack user disconnected.',
  connect: {
    title: 'Connect Slack',
    question: (name: string, email: string) => `Connect your Slack user to ${name} (${email})?`,
    effect: 'Your clicks on tasks in Slack then count as your decisions.',
    warning: 'Continue only if you clicked a button of a task in Slack yourself.',
    missing: 'This link is incomplete. Click the button of the task in Slack again.',
    button: 'Connect',
    done: 'Your Slack user is connected. Click the button of the task in Slack again.',
  },
} as const;
