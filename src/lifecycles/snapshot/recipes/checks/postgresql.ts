/** The checks of PostgreSQL. */
import type { RecipeVerify } from '../recipe.ts';
import {
  checkCommand,
  checkDefaults,
  directoryParameter,
  serverPrivileges,
} from './check-shell.ts';

const postgresqlCheckDefaults: Omit<RecipeVerify, 'summary' | 'command'> = {
  ...checkDefaults,
  tested: true,
  parameters: [
    directoryParameter,
    {
      name: 'user',
      description: 'a superuser of the copy; empty: POSTGRES_USER of the container, else postgres',
      defaultValue: '',
    },
  ],
  needs: {
    programs: [
      'sh',
      'postgres, pg_isready, psql and pg_amcheck of version 14 or later',
      'stat',
      'mktemp',
      'tail',
    ],
    privileges: [
      ...serverPrivileges,
      'the image has the extension amcheck; it is installed in each database of the copy',
    ],
  },
};

export const postgresqlCheck: RecipeVerify = {
  ...postgresqlCheckDefaults,
  summary: 'Starts the server with the copy, which recovers it, then pg_amcheck of all databases.',
  command: (parameters, path) => amcheck('', parameters, path),
};

/** Without the label the server would begin its recovery too late, and succeed with wrong data. */
export const postgresqlBackupCheck: RecipeVerify = {
  ...postgresqlCheckDefaults,
  summary: 'As postgresql-checkpoint; refuses a copy without the label that the thaw printed.',
  command: (parameters, path) => amcheck(HAS_LABEL, parameters, path),
};

const HAS_LABEL = `[ -f "$copy/backup_label" ] || [ -f "$copy/backup_label.old" ] ||
  broken 'the copy has no backup_label: write the one that the thaw printed'
`;

/**
 * Damage may also crash the server, so every failure of pg_amcheck counts against the copy, once it is known that the
 * image has the extension. A lock file that was copied names a process of another machine. Without a hot standby, the
 * server answers only when its recovery has ended and it can be written to.
 */
const AMCHECK = `need postgres pg_isready psql pg_amcheck
[ -f "$copy/PG_VERSION" ] || broken "the copy has no data directory of PostgreSQL: $copy"
user=\${1:-\${POSTGRES_USER:-postgres}}
echo 'local all all trust' >"$work/hba"
rm -f "$copy/postmaster.pid"
answers() { pg_isready --quiet --host="$work" --username="$user"; }
serve postgres -D "$copy" -k "$work" -c listen_addresses= -c hba_file="$work/hba" -c logging_collector=off -c ssl=off -c archive_mode=off -c hot_standby=off
export PGHOST="$work" PGUSER="$user"
has=$(psql -XAtc "SELECT count(*) FROM pg_available_extensions WHERE name = 'amcheck'" template1) || broken 'the server does not answer'
[ "$has" = 1 ] || cannot 'the image has no extension "amcheck"'
pg_amcheck --all --install-missing --heapallindexed --no-password || broken 'pg_amcheck found damage'
`;

function amcheck(
  before: string,
  parameters: Readonly<Record<string, string>>,
  path: string,
): string[] {
  return checkCommand(
    { script: `${before}${AMCHECK}`, path, parameters },
    parameters['user'] ?? '',
  );
}
