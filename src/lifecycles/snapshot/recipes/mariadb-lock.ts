import { isHeldUp, mariadbCommand, mariadbExitCodes, mariadbParameters } from './mariadb-client.ts';
import type { Recipe } from './recipe.ts';
import { secondsPattern } from './shell-command.ts';

/**
 * The lock ends with its session, so the client stays connected. The statement first waits for running writes, and
 * blocks all other statements meanwhile: `lock_wait_timeout` limits that.
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

/** The server closes a session that is idle for its `wait_timeout`, which ends its lock. */
export function lockStatements(waitSeconds: string): string[] {
  return [
    `SET SESSION lock_wait_timeout = ${waitSeconds}, SESSION wait_timeout = 86400;`,
    'FLUSH TABLES WITH READ LOCK;',
    "SELECT 'lifehook: frozen';",
  ];
}

/**
 * Drops a table that does not exist: the server takes the lock before it looks for the table. Error 1205: another
 * session holds the lock. 1051: there is no lock, and no such table. (Writes to rows take the lock too late.)
 */
function isLocked(parameters: Readonly<Record<string, string>>): string[] {
  return isHeldUp(parameters, { statement: 'DROP TABLE lifehook_probe.nothing', free: 1051 });
}
