import { LifehookError } from '../../../model/problem.ts';
import type { ContainerFolder } from './container-folder.ts';
import type { Life } from './life.ts';

export function notFound({ root }: Life, { path }: ContainerFolder): LifehookError {
  const id = path.slice(path.lastIndexOf('/') + 1);
  return new LifehookError({
    code: 'LHC211',
    severity: 'error',
    message: `There must be a container ${id} in ${root}, but there is none.`,
    next: 'Run `lifehook oci list` to see which there are; --root names another folder.',
  });
}
