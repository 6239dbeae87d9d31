import { validationFailed } from '@svcforms/contracts';
import { passwordProblem } from '@svcforms/identity';

/**
 * @throws AppError `VALIDATION_FAILED` for a password that is too short, too common, or derived
 * from the user's name or email
 */
export async function checkNewPassword(
  password: string,
  { email, name }: { email: string; name: string },
): Promise<void> {
  const message = await passwordProblem(password, [email, name]);
  if (message !== null) throw validationFailed([{ pointer: '/password', message }]);
}
