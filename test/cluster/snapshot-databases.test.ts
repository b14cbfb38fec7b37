/**
 * Databases under load on a real cluster: frozen, cut by the project's snapshotter, thawed, restored.
 *
 * @module-tag node
 */
import { mariadbCases } from '../fixtures/snapshot-databases/mariadb-cases.ts';
import { postgresqlCases } from '../fixtures/snapshot-databases/postgresql-cases.ts';
import { redisCases } from '../fixtures/snapshot-databases/redis-cases.ts';
import { openRealCluster } from './snapshot-databases-cluster.ts';

mariadbCases(openRealCluster);
postgresqlCases(openRealCluster);
redisCases(openRealCluster);
