import type { FirstAccount } from './bootstrap.ts';

/** What a person needs after the first start. Only what was generated is named: it can't be read again. */
export function firstAccountNotice({ email, password, apiKey }: FirstAccount): string {
  const lines = [
    `The first account was made. Keep this: it is shown only now.`,
    `  Owner     ${email}`,
    ...(password === undefined ? [] : [`  Password  ${password}`]),
    ...(apiKey === undefined ? [] : [`  API key   ${apiKey}`]),
  ];
  return `${lines.join('\n')}\n`;
}
