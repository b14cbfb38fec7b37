/** The recipe for SQLite, which uses sqlite3 in the container of the application. */
import { checkCommand, checkDefaults, directoryParameter } from './checks/check-shell.ts';
import type { Recipe, RecipeParameter, RecipeVerify } from './recipe.ts';
import { secondsPattern, shellCommand } from './shell-command.ts';

/** Opens the copy, which replays its log or rolls back its journal, as after a crash. */
const sqliteCheck: RecipeVerify = {
  ...checkDefaults,
  summary: 'Runs PRAGMA integrity_check on the database file, after SQLite has recovered it.',
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

const sqliteParameters: readonly RecipeParameter[] = [
  {
    name: 'database',
    description: 'the absolute path of the database file in the container',
    pattern: /^\/[^\n]*[^/\n]$/,
  },
  {
    name: 'lockWaitSeconds',
    description: 'whole seconds, 1 to 86400, to wait for a transaction that writes',
    defaultValue: '10',
    pattern: secondsPattern,
  },
];

/**
 * Arguments: the database, the milliseconds to wait for a lock, and the arguments of sqlite3. Without these precautions
 * sqlite3 would create a database that does not exist, and read ~/.sqliterc.
 */
const CLIENT = `[ -f "$1" ] || { printf 'there is no database %s\\n' "$1" >&2; exit 4; }
database=$1 wait=$2
shift 2
exec sqlite3 -batch -bail -init /dev/null -cmd ".timeout $wait" "$database" "$@"
`;

function sqliteCommand(
  { database = '' }: Readonly<Record<string, string>>,
  waitMs: number,
  ...args: readonly string[]
): string[] {
  return shellCommand(CLIENT, database, String(waitMs), ...args);
}

/**
 * Holds the write lock of a transaction that writes nothing. The lock ends when its session ends, so the client stays
 * connected.
 *
 * With a rollback journal it is the RESERVED lock; with a write-ahead log it is the writer's lock. No other connection
 * is in a write, and none can begin one. So the journal is empty, or the log has only whole transactions. A checkpoint
 * before the lock keeps the recovery of the copy short; it waits for no reader.
 */
export const sqliteLock: Recipe = {
  name: 'sqlite-lock',
  application: 'SQLite, one database file',
  summary:
    'Holds the write lock in one session: reads continue, and writes wait or get SQLITE_BUSY.',
  lockClass: 'session',
  lockScope: 'Process',
  tested: true,
  parameters: sqliteParameters,
  needs: {
    programs: ['sh', 'sqlite3'],
    privileges: [
      'the user may write the database and its directory',
      'the database, its -wal and its -journal are on the volume of the snapshot',
      'the application has a busy timeout longer than the freeze, and does not use locking_mode=EXCLUSIVE',
    ],
  },
  maxFreezeSeconds: 60,
  exitCodes: {
    1: 'a statement failed: the output says which; "database is locked" means that a writer kept its lock longer than lockWaitSeconds',
    2: 'the probe could not open the database',
    4: 'there is no such database file',
    127: 'the image has no "sqlite3"',
  },
  priorState: null,
  verify: sqliteCheck,
  actions: (parameters) => ({
    preAction: {
      session: {
        client: sqliteCommand(parameters, Number(parameters['lockWaitSeconds'] ?? '10') * 1_000),
        freeze: [
          'PRAGMA wal_checkpoint(PASSIVE);',
          'BEGIN IMMEDIATE;',
          "SELECT 'lifehook: frozen';",
        ],
        ready: 'lifehook: frozen',
        thaw: ['ROLLBACK;', "SELECT 'lifehook: thawed';"],
      },
    },
    probe: { command: isLocked(parameters), timeoutSeconds: 10 },
    expirationSeconds: 30,
  }),
};

/**
 * Milliseconds that a probe waits for the lock, so that it does not take a short transaction of the application for the
 * freeze.
 */
const PROBE_WAIT_MS = 1_000;

const IS_LOCKED = `said=$("$@" 2>&1) && exit 1
case $said in *'database is locked'*) exit 0 ;; esac
printf '%s\\n' "$said" >&2; exit 2`;

function isLocked(parameters: Readonly<Record<string, string>>): string[] {
  return shellCommand(
    IS_LOCKED,
    ...sqliteCommand(parameters, PROBE_WAIT_MS, 'BEGIN IMMEDIATE; ROLLBACK;'),
  );
}
