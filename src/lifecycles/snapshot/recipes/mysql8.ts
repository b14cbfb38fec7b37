import { lockStatements } from './mariadb-lock.ts';
import { mariadbCommand, mariadbExitCodes, mariadbParameters } from './mariadb-client.ts';
import type { Recipe } from './recipe.ts';

/** LOCK INSTANCE FOR BACKUP alone blocks only DDL, so the same session also holds the table lock. */
export const mysql8: Recipe = {
  name: 'mysql8',
  application: 'MySQL 8',
  summary:
    'Holds LOCK INSTANCE FOR BACKUP and FLUSH TABLES WITH READ LOCK in one session until it ends.',
  lockClass: 'session',
  lockScope: 'Process',
  tested: false,
  parameters: mariadbParameters,
  needs: {
    programs: ['sh', 'mysql'],
    privileges: ['the user has BACKUP_ADMIN and RELOAD (or FLUSH_TABLES)'],
  },
  maxFreezeSeconds: 300,
  exitCodes: mariadbExitCodes,
  priorState: null,
  actions: (parameters) => ({
    preAction: {
      session: {
        client: mariadbCommand(parameters),
        freeze: ['LOCK INSTANCE FOR BACKUP;', ...lockStatements('10')],
        ready: 'lifehook: frozen',
        thaw: ['UNLOCK TABLES;', 'UNLOCK INSTANCE;', "SELECT 'lifehook: thawed';"],
      },
    },
    expirationSeconds: 120,
  }),
};
