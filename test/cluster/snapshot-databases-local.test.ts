/**
 * The same on the local cluster, with containers. It is next to the suite of the real cluster, whose tool builds the
 * image.
 */
import { mariadbCases } from '../fixtures/snapshot-databases/mariadb-cases.ts';
import { postgresqlCases } from '../fixtures/snapshot-databases/postgresql-cases.ts';
import { redisCases } from '../fixtures/snapshot-databases/redis-cases.ts';
import { openLocalCluster } from './snapshot-databases-cluster.ts';

mariadbCases(openLocalCluster);
postgresqlCases(openLocalCluster);
redisCases(openLocalCluster);
