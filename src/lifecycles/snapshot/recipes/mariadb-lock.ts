import { isHeldUp, mariadbCommand, mariadbExitCodes, mariadbParameters } from './mariadb-client.ts';
import type { Recipe } from './recipe.ts';
import { secondsPattern } from './shell-command.ts';

/**
 * The lock ends with its session, so the client is kept. It first waits for statements that write, and
 * meanwhile holds up all others: `lock_wait_timeout` bounds that.
 */
export const mariadbLock: Recipe = {
  name: 'mariadb-lock',
  application: 'MariaDB',
  summary: 'Holds FLUSH TABLES WITH READ LOCK in one session: nothing is written until it ends.',
  lockClass: 'session',
  lockScope: 'Process',
  tested: true,
  parameters: [
    ...mariadbParameters,
    {
      name: 'lockWaitSeconds',
      description: 'whole seconds to wait for statements that write; others wait as long behind it',
      defaultValue: '10',
      pattern: secondsPattern,
    },
  ],
  needs: {
    programs: ['sh', 'mariadb or mysql'],
    privileges: ['the user has RELOAD'],
  },
  maxFreezeSeconds: 300,
  exitCodes: mariadbExitCodes,
  priorState: null,
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

/** A session that is idle for its `wait_timeout` is ended by the server, and its lock with it. */
export function lockStatements(waitSeconds: string): string[] {
  return [
    `SET SESSION lock_wait_timeout = ${waitSeconds}, SESSION wait_timeout = 86400;`,
    'FLUSH TABLES WITH READ LOCK;',
    "SELECT 'lifehook: frozen';",
  ];
}

/**
 * Asks to drop a table that does not exist: the lock is asked for before the table is. Error 1205: somebody
 * else holds the lock; 1051: there is no lock, and no such table. (Writes to rows ask for it too late.)
 */
function isLocked(parameters: Readonly<Record<string, string>>): string[] {
  return isHeldUp(parameters, { statement: 'DROP TABLE lifehook_probe.nothing', free: 1051 });
}
