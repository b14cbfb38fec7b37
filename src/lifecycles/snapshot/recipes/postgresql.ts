/** The recipes for PostgreSQL, and the client that they share. */
import {
  checkCommand,
  checkDefaults,
  directoryParameter,
  serverPrivileges,
} from './checks/check-shell.ts';
import type { Recipe, RecipeParameter, RecipeVerify } from './recipe.ts';
import { passwordParameter, secretFunction, shellCommand } from './shell-command.ts';

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

/** The check for copies of postgresql-checkpoint. */
const postgresqlCheck: RecipeVerify = {
  ...postgresqlCheckDefaults,
  summary:
    'Starts the server with the copy, which recovers it, then runs pg_amcheck on all databases.',
  command: (parameters, path) => amcheck('', parameters, path),
};

/** Refuses a copy without its label: the server would begin the recovery too late, and succeed with wrong data. */
const postgresqlBackupCheck: RecipeVerify = {
  ...postgresqlCheckDefaults,
  summary:
    'Runs the check of postgresql-checkpoint, and refuses a copy without the backup_label that the thaw printed.',
  command: (parameters, path) => amcheck(HAS_LABEL, parameters, path),
};

const HAS_LABEL = `[ -f "$copy/backup_label" ] || [ -f "$copy/backup_label.old" ] ||
  broken 'the copy has no backup_label: write the one that the thaw printed'
`;

/**
 * Starts the server on the copy, and checks every database with pg_amcheck. Damage may also crash the server, so once
 * the image is known to have the extension, every failure of pg_amcheck counts against the copy. The lock file in the
 * copy is removed, since it names a process of another machine. The signal of a standby is removed too: the server
 * would connect to its primary, take the slot of the real standby, and never end its recovery. Without a hot standby,
 * the server answers only when its recovery has ended and it accepts writes.
 */
const AMCHECK = `need postgres pg_isready psql pg_amcheck
[ -f "$copy/PG_VERSION" ] || broken "the copy has no data directory of PostgreSQL: $copy"
user=\${1:-\${POSTGRES_USER:-postgres}}
echo 'local all all trust' >"$work/hba"
rm -f "$copy/postmaster.pid" "$copy/standby.signal"
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

const postgresqlParameters: readonly RecipeParameter[] = [
  {
    name: 'user',
    description: 'user for the login; empty: POSTGRES_USER of the container, else postgres',
    defaultValue: '',
  },
  { name: 'database', description: 'database for the login', defaultValue: 'postgres' },
  passwordParameter('PGPASSWORD or POSTGRES_PASSWORD'),
];

/** ON_ERROR_STOP is set, since psql otherwise exits with 0 even if a statement failed. */
const SCRIPT = `${secretFunction}
user=\${1:-\${POSTGRES_USER:-postgres}} database=$2 variable=$3
shift 3
password=$(secret $variable PGPASSWORD POSTGRES_PASSWORD)
[ -z "$password" ] || export PGPASSWORD="$password"
exec psql -X -q -A -t -v ON_ERROR_STOP=1 --no-password --username="$user" --dbname="$database" "$@"
`;

function postgresqlCommand(
  { user = '', database = '', passwordVariable = '' }: Readonly<Record<string, string>>,
  ...args: readonly string[]
): string[] {
  return shellCommand(SCRIPT, user, database, passwordVariable, ...args);
}

const postgresqlExitCodes: Readonly<Record<number, string>> = {
  1: 'a statement failed: the output says which',
  2: 'the server was not reached, or the login was refused',
  3: 'a statement of a session failed',
  127: 'the image has no "psql"',
};

/** For data and WAL on one volume: a snapshot is then the state after a crash, from which the server recovers. */
export const postgresqlCheckpoint: Recipe = {
  name: 'postgresql-checkpoint',
  application: 'PostgreSQL, all of it on one volume',
  summary:
    'Runs a CHECKPOINT before the cut, so that the recovery of the copy is short; writes continue.',
  lockClass: 'none',
  lockScope: 'Process',
  tested: true,
  parameters: postgresqlParameters,
  needs: {
    programs: ['sh', 'psql'],
    privileges: ['the user is a superuser, or has pg_checkpoint (PostgreSQL 15 and later)'],
  },
  maxFreezeSeconds: null,
  exitCodes: postgresqlExitCodes,
  priorState: null,
  verify: postgresqlCheck,
  actions: (parameters) => ({
    preAction: {
      exec: { command: postgresqlCommand(parameters, '--command=CHECKPOINT') },
      actionTimeoutSeconds: 120,
      idempotent: true,
    },
  }),
};

const IN_BACKUP = 'lifehook: in backup';

/**
 * For data, WAL and tablespaces on several volumes, which are not cut at one moment. Writes continue.
 *
 * The server ends the backup mode when the session that started it ends. A complete copy needs the WAL up to the stop,
 * and the label that the stop prints. The label must be put into the restored data directory.
 */
export const postgresqlBackup: Recipe = {
  name: 'postgresql-backup',
  application: 'PostgreSQL on several volumes',
  summary: 'Holds the backup mode in one session; the thaw prints backup_label and tablespace_map.',
  lockClass: 'session',
  lockScope: 'Process',
  tested: true,
  parameters: postgresqlParameters,
  needs: {
    programs: ['sh', 'psql of version 10 or later'],
    privileges: [
      'the user is a superuser, or may execute pg_backup_start and pg_backup_stop',
      'the WAL written between start and stop is archived, or kept by a replication slot, or is on the volume that is snapshotted last',
    ],
  },
  maxFreezeSeconds: null,
  exitCodes: postgresqlExitCodes,
  priorState: null,
  verify: postgresqlBackupCheck,
  actions: (parameters) => ({
    preAction: {
      session: {
        client: postgresqlCommand(parameters),
        freeze: startBackup,
        ready: 'lifehook: frozen',
        thaw: stopBackup,
      },
      actionTimeoutSeconds: 120,
    },
    probe: {
      command: postgresqlCommand(parameters, '--command', isInBackup),
      timeoutSeconds: 10,
    },
    expirationSeconds: 600,
  }),
};

/**
 * Bytes of the locations of all tablespaces, and 12 for each. The status keeps OUTPUT_BYTES_MAX of the thaw's output,
 * from its end, and the label needs about 400 of them.
 */
const TABLESPACE_BYTES_MAX = 500;

/** A label that does not fit into the status would be lost, and with it the backup. */
const fitsIntoStatus = `DO $$ BEGIN IF (SELECT sum(octet_length(pg_tablespace_location(oid)) + 12) FROM pg_tablespace) > ${TABLESPACE_BYTES_MAX} THEN RAISE 'the tablespace_map does not fit into the status: use fewer tablespaces, or one volume and postgresql-checkpoint'; END IF; END $$;`;

/**
 * Without `fast` the start waits minutes for the next checkpoint. Timeouts are off, since they would end the session.
 */
const startBackup = [
  fitsIntoStatus,
  "SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN ('idle_session_timeout', 'statement_timeout', 'transaction_timeout');",
  "SELECT current_setting('server_version_num')::int >= 150000 AS modern \\gset",
  '\\if :modern',
  "SELECT pg_backup_start('lifehook', fast => true);",
  '\\else',
  "SELECT pg_start_backup('lifehook', true, false);",
  '\\endif',
  `SET application_name = '${IN_BACKUP}';`,
  '\\echo lifehook: frozen',
];

const stopBackup = [
  '\\if :modern',
  'SELECT labelfile, spcmapfile FROM pg_backup_stop(wait_for_archive => false) \\gset',
  '\\else',
  'SELECT labelfile, spcmapfile FROM pg_stop_backup(false, false) \\gset',
  '\\endif',
  '\\echo lifehook: backup_label',
  '\\echo :labelfile',
  '\\echo lifehook: tablespace_map',
  '\\echo :spcmapfile',
];

/** The server does not show the backup mode, but shows its session, which lasts exactly as long. */
const isInBackup = `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = '${IN_BACKUP}') THEN RAISE 'no session is in backup mode'; END IF; END $$`;
