import {
  postgresqlCommand,
  postgresqlExitCodes,
  postgresqlParameters,
} from './postgresql-client.ts';
import type { Recipe } from './recipe.ts';

/** With data and WAL on one volume, a snapshot is the state after a crash, from which the server recovers. */
export const postgresqlCheckpoint: Recipe = {
  name: 'postgresql-checkpoint',
  application: 'PostgreSQL, all of it on one volume',
  summary: 'A CHECKPOINT before the cut, so that the recovery of the copy is short; writes go on.',
  lockClass: 'none',
  lockScope: 'Process',
  tested: true,
  parameters: postgresqlParameters,
  needs: {
    programs: ['sh', 'psql'],
    privileges: ['the user is a superuser, or from PostgreSQL 15 on has pg_checkpoint'],
  },
  maxFreezeSeconds: null,
  exitCodes: postgresqlExitCodes,
  priorState: null,
  actions: (parameters) => ({
    preAction: {
      exec: { command: postgresqlCommand(parameters, '--command=CHECKPOINT') },
      actionTimeoutSeconds: 120,
      idempotent: true,
    },
  }),
};
