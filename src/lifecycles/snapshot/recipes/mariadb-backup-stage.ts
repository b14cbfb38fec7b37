import { isHeldUp, mariadbCommand, mariadbExitCodes, mariadbParameters } from './mariadb-client.ts';
import type { Recipe } from './recipe.ts';
import { secondsPattern } from './shell-command.ts';

/**
 * Lighter than the table lock: transactions continue, and their commits wait. Not idempotent: a second START fails in
 * the same session (error 4147), and waits in another one (1205).
 */
export const mariadbBackupStage: Recipe = {
  name: 'mariadb-backup-stage',
  application: 'MariaDB 10.4 and later',
  summary: 'Holds BACKUP STAGE BLOCK_COMMIT in one session: no commit and no DDL until it ends.',
  lockClass: 'session',
  lockScope: 'Process',
  tested: true,
  parameters: [
    ...mariadbParameters,
    {
      name: 'lockWaitSeconds',
      description: 'whole seconds that each stage may wait for others',
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
      // Only one session at a time can be in a stage: 1205 means that another one is.
      command: isHeldUp(parameters, {
        statement: 'BACKUP STAGE START; BACKUP STAGE END',
        free: 0,
      }),
      timeoutSeconds: 10,
    },
    expirationSeconds: 120,
  }),
};
