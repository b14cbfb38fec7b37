import type { RecipeVerify } from '../recipe.ts';
import { checkCommand, checkDefaults, directoryParameter } from './check-shell.ts';

/** Uses the check programs of Redis, and starts no server. */
export const redisCheck: RecipeVerify = {
  ...checkDefaults,
  summary:
    'Runs redis-check-aof on the append-only files and redis-check-rdb on the dump, whichever the copy has.',
  tested: true,
  parameters: [
    directoryParameter,
    {
      name: 'dumpFile',
      description: 'name of the dump in that directory (dbfilename of the server)',
      defaultValue: 'dump.rdb',
      pattern: /^(?!\.{1,2}$)[^/\n]+$/,
    },
  ],
  needs: {
    programs: ['sh', 'redis-check-rdb', 'redis-check-aof', 'stat', 'mktemp'],
    privileges: ['the user may read the copy'],
  },
  command: (parameters, path) =>
    checkCommand({ script: CHECK, path, parameters }, parameters['dumpFile'] ?? ''),
};

/**
 * The output "Expected to read" means that the last command is cut off, and "Reached EOF before reading EXEC" that the
 * last transaction is, as after a crash. A server starts with such a file (aof-load-truncated), and no acknowledged
 * write is lost. Everything else that redis-check-aof rejects counts as damage. Redis 7 has a manifest in a directory;
 * earlier releases have one file.
 */
const CHECK = `need redis-check-aof redis-check-rdb
found=
for log in "$copy"/*/*.aof.manifest "$copy"/*.aof; do
  [ -f "$log" ] || continue
  found=yes
  said=$(redis-check-aof "$log" 2>&1) && continue
  case $said in
  *'Expected to read '*' bytes, got '* | *'Reached EOF before reading EXEC for MULTI'*) ;;
  *) broken "$said" ;;
  esac
done
if [ -f "$copy/$1" ]; then
  found=yes
  said=$(redis-check-rdb "$copy/$1" 2>&1) || broken "$said"
fi
[ -n "$found" ] || broken "the copy has neither append-only files nor $1: $copy"
`;
