import {
  failsWith,
  mariadbCommand,
  mariadbExitCodes,
  mariadbParameters,
} from './mariadb-client.ts';
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
 * Asks to write without writing: the lock is asked for before the table is, which does not exist. Error
 * 1205: the lock is held by somebody else; 1146 or 1049: there is no such table, and no lock.
 */
function isLocked(parameters: Readonly<Record<string, string>>): string[] {
  const statement =
    'SET SESSION lock_wait_timeout = 1; DELETE FROM lifehook_probe.nothing WHERE FALSE';
  return failsWith(parameters, { statement, error: 1205 });
}
