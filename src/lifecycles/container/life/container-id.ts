import { LifehookError } from '../../../model/problem.ts';

/** Directory names contain ids, so the limit is that of a file name. */
const ID_MAX_CHARACTERS = 128;

const idPattern = /^[A-Za-z0-9_][A-Za-z0-9_.+-]*$/;

/** runc's characters, without a leading dot (our own files) or dash (an option). Throws a LifehookError. */
export function checkContainerId(id: string): void {
  if (id.length <= ID_MAX_CHARACTERS && idPattern.test(id)) return;
  throw new LifehookError({
    code: 'LHC210',
    severity: 'error',
    message: `A container's id must be 1 to ${ID_MAX_CHARACTERS} letters, digits, "_", "+", "-" or ".", and begin with a letter, a digit or "_"; ${JSON.stringify(id)} does not.`,
    next: 'Choose another id.',
  });
}
