/** All recipes. To add one, add a file in this directory and a line here. */
import { fsfreeze } from './fsfreeze.ts';
import { generic } from './generic.ts';
import { mariadbBackupStage } from './mariadb-backup-stage.ts';
import { mariadbLock } from './mariadb-lock.ts';
import { mongodb } from './mongodb.ts';
import { mysql8 } from './mysql8.ts';
import { postgresqlBackup } from './postgresql-backup.ts';
import { postgresqlCheckpoint } from './postgresql-checkpoint.ts';
import type { Recipe } from './recipe.ts';
import { redisAof } from './redis-aof.ts';
import { redisPause } from './redis-pause.ts';
import { redisRdb } from './redis-rdb.ts';
import { refusedRecipes } from './refused.ts';

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
  fsfreeze,
  generic,
  ...refusedRecipes,
];

export function resolveRecipe(name: string): Recipe | undefined {
  return recipes.find((recipe) => recipe.name === name);
}
