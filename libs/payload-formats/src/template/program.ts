/** `npm run build` and jest.config.mjs replace this name with the program, bundled to one text. */
declare const SVCFORMS_TEMPLATE_PROGRAM: string | undefined;

/**
 * The program of the template processes. A text, because an image contains nothing but the bundle
 * of its service. @throws Error in a program that wasn't built
 */
export function templateProgram(): string {
  if (typeof SVCFORMS_TEMPLATE_PROGRAM === 'undefined')
    throw new Error('the template program is missing: run this service from npm run build');
  return SVCFORMS_TEMPLATE_PROGRAM;
}
