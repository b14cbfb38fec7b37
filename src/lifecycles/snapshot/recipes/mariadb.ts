/** The recipes for MariaDB and MySQL, and the client that they share. */
import { mariadbCheck } from './checks/mariadb.ts';
import type { Recipe, RecipeParameter } from './recipe.ts';
import {
  passwordParameter,
  secondsPattern,
  secretFunction,
  shellCommand,
} from './shell-command.ts';

/** The login parameters of all recipes for MariaDB and MySQL. */
const mariadbParameters: readonly RecipeParameter[] = [
  { name: 'user', description: 'user for the login', defaultValue: 'root' },
  passwordParameter('the variables of the official images'),
  {
    name: 'socket',
    description: 'the socket of the server; empty: the default of the client',
    defaultValue: '',
  },
  {
    name: 'defaultsFile',
    description:
      'option file in the container with user, password and socket, instead of the parameters above',
    defaultValue: '',
  },
];

const lockWaitSeconds: RecipeParameter = {
  name: 'lockWaitSeconds',
  description:
    'whole seconds, 1 to 86400, that the lock waits for running writes; new statements wait behind it meanwhile',
  defaultValue: '10',
  pattern: secondsPattern,
};

const SCRIPT = `${secretFunction}
user=$1 variable=$2 socket=$3 defaults=$4
shift 4
program=mariadb
command -v mariadb >/dev/null || program=mysql
set -- --batch --skip-column-names --unbuffered "$@"
if [ -n "$defaults" ]; then exec "$program" --defaults-file="$defaults" "$@"; fi
password=$(secret $variable MARIADB_ROOT_PASSWORD MYSQL_ROOT_PASSWORD)
[ -z "$password" ] || export MYSQL_PWD="$password"
[ -z "$socket" ] || set -- --socket="$socket" "$@"
exec "$program" --user="$user" "$@"
`;

/** The client with these arguments. It exits with code 1 at the first statement that fails. */
function mariadbCommand(
  parameters: Readonly<Record<string, string>>,
  ...args: readonly string[]
): string[] {
  const { user = '', passwordVariable = '', socket = '', defaultsFile = '' } = parameters;
  return shellCommand(SCRIPT, user, passwordVariable, socket, defaultsFile, ...args);
}

/**
 * A probe, whose exit code is the answer. 0: the statement failed to get its lock (1205). 1: the statement got its
 * lock, so it succeeded or failed with the error `free`. 2: the server could not be asked. The probe does not wait for
 * the lock, since the application is frozen meanwhile. A server that does not support a timeout of 0 waits 1 s.
 */
function isHeldUp(
  parameters: Readonly<Record<string, string>>,
  { statement, free }: { readonly statement: string; readonly free: number },
): string[] {
  const script = `free=$1; shift; told=$("$@" 2>&1) && exit 1
case $told in *"ERROR 1205 "*) exit 0 ;; *"ERROR $free "*) exit 1 ;; esac
printf '%s\\n' "$told" >&2; exit 2`;
  const bounded = `SET SESSION lock_wait_timeout = 0; ${statement}`;
  return shellCommand(script, String(free), ...mariadbCommand(parameters, '--execute', bounded));
}

const mariadbExitCodes: Readonly<Record<number, string>> = {
  1: 'a statement failed, or the login did: the output says which',
  2: 'the probe could not reach the server',
  127: 'the image has neither "mariadb" nor "mysql"',
};

const heldBySession = {
  lockClass: 'session',
  lockScope: 'Process',
  tested: true,
  maxFreezeSeconds: 300,
  exitCodes: mariadbExitCodes,
  priorState: null,
  verify: mariadbCheck,
} as const;

/** The privilege for `isLocked`. The server checks it before it looks for the table. */
const DROP_NOTHING =
  'the user has DROP on the database lifehook_probe, which need not exist (GRANT DROP ON lifehook_probe.*)';

/**
 * The lock ends when its session ends, so the client stays connected. The statement first waits for running writes,
 * and blocks all other statements meanwhile: `lock_wait_timeout` limits that.
 */
export const mariadbLock: Recipe = {
  name: 'mariadb-lock',
  application: 'MariaDB',
  summary: 'Holds FLUSH TABLES WITH READ LOCK in one session: nothing is written until it ends.',
  ...heldBySession,
  parameters: [...mariadbParameters, lockWaitSeconds],
  needs: {
    programs: ['sh', 'mariadb or mysql'],
    privileges: [
      'the user has RELOAD',
      DROP_NOTHING,
      'on a read-only replica also READ_ONLY ADMIN',
    ],
  },
  actions: (parameters) => ({
    preAction: {
      session: {
        client: mariadbCommand(parameters),
        freeze: lockStatements(parameters['lockWaitSeconds'] ?? '10'),
        ready: 'lifehook: frozen',
        thaw: ['UNLOCK TABLES;', "SELECT 'lifehook: thawed';"],
      },
    },
    probe: { command: isLocked(parameters), timeoutSeconds: 10 },
    expirationSeconds: 120,
  }),
};

/**
 * The statements that take the lock. A server closes a session that is idle for its `wait_timeout`, which ends the
 * lock. So the first statement raises that timeout. `first`: statements to execute before the lock, with the same limit
 * for their wait.
 */
function lockStatements(waitSeconds: string, ...first: readonly string[]): string[] {
  return [
    `SET SESSION lock_wait_timeout = ${waitSeconds}, SESSION wait_timeout = 86400;`,
    ...first,
    'FLUSH TABLES WITH READ LOCK;',
    "SELECT 'lifehook: frozen';",
  ];
}

/**
 * Drops a table that does not exist: the server takes the lock before it looks for the table. Error 1205: another
 * session holds the lock. Error 1051: there is no lock, and no such table. A write to rows would take the lock too late
 * for a probe.
 */
function isLocked(parameters: Readonly<Record<string, string>>): string[] {
  return isHeldUp(parameters, { statement: 'DROP TABLE lifehook_probe.nothing', free: 1051 });
}

/**
 * A freeze that blocks less than the table lock: transactions continue, and only their commits wait. It is not
 * idempotent: a second START fails in the same session (error 4147), and waits in another session (1205).
 */
export const mariadbBackupStage: Recipe = {
  name: 'mariadb-backup-stage',
  application: 'MariaDB 10.4 and later',
  summary: 'Holds BACKUP STAGE BLOCK_COMMIT in one session: no commit and no DDL until it ends.',
  ...heldBySession,
  parameters: [
    ...mariadbParameters,
    {
      name: 'lockWaitSeconds',
      description: 'whole seconds that each stage may wait for other statements',
      defaultValue: '10',
      pattern: secondsPattern,
    },
  ],
  needs: {
    programs: ['sh', 'mariadb or mysql'],
    privileges: ['the user has RELOAD'],
  },
  actions: (parameters) => ({
    preAction: {
      session: {
        client: mariadbCommand(parameters),
        freeze: [
          `SET SESSION lock_wait_timeout = ${parameters['lockWaitSeconds'] ?? '10'}, SESSION wait_timeout = 86400;`,
          ...['START', 'FLUSH', 'BLOCK_DDL', 'BLOCK_COMMIT'].map(
            (stage) => `BACKUP STAGE ${stage};`,
          ),
          "SELECT 'lifehook: frozen';",
        ],
        ready: 'lifehook: frozen',
        thaw: ['BACKUP STAGE END;', "SELECT 'lifehook: thawed';"],
      },
    },
    probe: {
      // Only one session at a time can be in a stage. Error 1205 means that another session is in one.
      command: isHeldUp(parameters, {
        statement: 'BACKUP STAGE START; BACKUP STAGE END',
        free: 0,
      }),
      timeoutSeconds: 10,
    },
    expirationSeconds: 120,
  }),
};

/** LOCK INSTANCE FOR BACKUP alone blocks only DDL, so the same session also holds the table lock. */
export const mysql8: Recipe = {
  name: 'mysql8',
  application: 'MySQL 8 and later',
  summary:
    'Holds LOCK INSTANCE FOR BACKUP and FLUSH TABLES WITH READ LOCK in one session: no write and no DDL until it ends.',
  ...heldBySession,
  parameters: [...mariadbParameters, lockWaitSeconds],
  needs: {
    programs: ['sh', 'mariadb or mysql'],
    privileges: [
      'the user has BACKUP_ADMIN and RELOAD (or FLUSH_TABLES)',
      DROP_NOTHING,
      'on a replica with read_only also CONNECTION_ADMIN; on one with super_read_only the probe fails',
    ],
  },
  actions: (parameters) => ({
    preAction: {
      session: {
        client: mariadbCommand(parameters),
        freeze: lockStatements(parameters['lockWaitSeconds'] ?? '10', 'LOCK INSTANCE FOR BACKUP;'),
        ready: 'lifehook: frozen',
        thaw: ['UNLOCK TABLES;', 'UNLOCK INSTANCE;', "SELECT 'lifehook: thawed';"],
      },
    },
    probe: { command: isLocked(parameters), timeoutSeconds: 10 },
    expirationSeconds: 120,
  }),
};
