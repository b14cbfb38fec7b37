import type { RecipeVerify } from '../recipe.ts';
import { checkCommand, checkDefaults, directoryParameter } from './check-shell.ts';

/**
 * The mount of the copy has replayed the journal of its file system already. An fsck would need the device, which the
 * pod does not have.
 */
export const filesCheck: RecipeVerify = {
  ...checkDefaults,
  summary: 'Reads every file of the mounted copy; says nothing of what the application needs.',
  tested: true,
  parameters: [directoryParameter],
  needs: {
    programs: ['sh', 'find', 'cat', 'stat', 'mktemp'],
    privileges: ['the user may read every file'],
  },
  command: (parameters, path) => checkCommand({ script: READ_ALL, path, parameters }),
};

const READ_ALL = `need find
find "$copy" -type f -exec cat {} + >/dev/null || broken 'not every file of the copy can be read'
`;
