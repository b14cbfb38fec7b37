/**
 * All recipes. Each application has its own file. To add a recipe, write it in the file of its application, and list it
 * here.
 */
import { etcdSnapshot } from './etcd.ts';
import { fsfreeze } from './fsfreeze.ts';
import { mariadbBackupStage, mariadbLock, mysql8 } from './mariadb.ts';
import { mongodb } from './mongodb.ts';
import { opensearchWriteBlock } from './opensearch.ts';
import { postgresqlBackup, postgresqlCheckpoint } from './postgresql.ts';
import type { Recipe } from './recipe.ts';
import { redisAof, redisPause, redisRdb } from './redis.ts';
import { shellCommand } from './shell-command.ts';
import { sqliteLock } from './sqlite.ts';

/** For any two commands that freeze and thaw. The session helper runs them, so that the thaw is certain. */
const generic: Recipe = {
  name: 'generic',
  application: 'any',
  summary:
    'Your own two shell commands, in a session: the thaw runs in the container even if the controller dies.',
  lockClass: 'flag',
  lockScope: 'Process',
  tested: true,
  parameters: [
    {
      name: 'freeze',
      description: 'a command line for sh; the thaw gets its last line of output as LIFEHOOK_PRIOR',
    },
    { name: 'thaw', description: 'a command line for sh; it may run more than once' },
    {
      name: 'lockScope',
      description: 'Kernel if the freeze outlives the processes of the container, else Process',
      defaultValue: 'Process',
      pattern: /^(Process|Kernel)$/,
    },
  ],
  needs: { programs: ['sh'], privileges: [] },
  maxFreezeSeconds: null,
  exitCodes: {},
  priorState: 'the thaw receives the last line that the freeze prints, as LIFEHOOK_PRIOR',
  actions: ({ freeze = '', thaw = '', lockScope }) => ({
    preAction: { session: { freeze: shellCommand(freeze), thaw: shellCommand(thaw) } },
    lockScope: lockScope === 'Kernel' ? 'Kernel' : 'Process',
  }),
};

export const recipes: readonly Recipe[] = [
  postgresqlCheckpoint,
  postgresqlBackup,
  mariadbLock,
  mariadbBackupStage,
  mysql8,
  mongodb,
  redisRdb,
  redisAof,
  redisPause,
  sqliteLock,
  etcdSnapshot,
  opensearchWriteBlock,
  fsfreeze,
  generic,
  refuse('elasticsearch', 'Elasticsearch'),
  refuse('opensearch', 'OpenSearch'),
];

export function resolveRecipe(name: string): Recipe | undefined {
  return recipes.find((recipe) => recipe.name === name);
}

/** A recipe for an application whose files must never be copied. It is listed only to explain the refusal. */
function refuse(name: string, application: string): Recipe {
  const reason = `copies of the data files of ${application} are not supported by its vendor, frozen or not, and may lose data silently`;
  return {
    name,
    application,
    summary: 'Refused: there is no safe copy of its files.',
    refused: `${reason}: use its own snapshot API, in an exec action; for one node whose data are all on one volume see the recipe opensearch-write-block`,
    lockClass: 'none',
    lockScope: 'Process',
    tested: false,
    parameters: [],
    needs: { programs: [], privileges: [] },
    maxFreezeSeconds: null,
    exitCodes: {},
    priorState: null,
    actions: () => ({ preAction: {} }),
  };
}
