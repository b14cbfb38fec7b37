/**
 * The database cases on the local cluster, with containers. `images.ts` makes their image, as for the real cluster.
 */
import { mariadbCases } from '../fixtures/snapshot-databases/mariadb-cases.ts';
import { postgresqlCases } from '../fixtures/snapshot-databases/postgresql-cases.ts';
import { redisCases } from '../fixtures/snapshot-databases/redis-cases.ts';
import { openLocalCluster } from './snapshot-databases-cluster.ts';

mariadbCases(openLocalCluster);
postgresqlCases(openLocalCluster);
redisCases(openLocalCluster);
