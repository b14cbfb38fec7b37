import type { RecipeVerify } from '../recipe.ts';
import { checkCommand, checkDefaults, directoryParameter } from './check-shell.ts';

/** Opening the copy replays its log, or rolls back its journal, as after a crash. */
export const sqliteCheck: RecipeVerify = {
  ...checkDefaults,
  summary: 'PRAGMA integrity_check of the database file, after SQLite has recovered it.',
  tested: true,
  parameters: [
    directoryParameter,
    {
      name: 'file',
      description: 'name of the database file in that directory',
      pattern: /^(?!\.{1,2}$)[^/\n]+$/,
    },
  ],
  needs: {
    programs: ['sh', 'sqlite3', 'stat', 'mktemp'],
    privileges: ['the user may write to the copy'],
  },
  command: (parameters, path) =>
    checkCommand({ script: CHECK, path, parameters }, parameters['file'] ?? ''),
};

const CHECK = `need sqlite3
[ -f "$copy/$1" ] || broken "the copy has no database $copy/$1"
said=$(sqlite3 -batch -bail -init /dev/null "$copy/$1" 'PRAGMA integrity_check' 2>&1)
[ "$said" = ok ] || broken "$said"
`;
