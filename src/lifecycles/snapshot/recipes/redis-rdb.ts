import { redisCommand, redisExitCodes, redisParameters, redisPrograms } from './redis-client.ts';
import type { Recipe } from './recipe.ts';

/** The dump is complete once it exists, so there is nothing to undo; later writes are not in it. */
export const redisRdb: Recipe = {
  name: 'redis-rdb',
  application: 'Redis with RDB',
  summary: 'A BGSAVE that has ended well before the cut; writes go on, and are not in the copy.',
  lockClass: 'none',
  lockScope: 'Process',
  tested: true,
  parameters: redisParameters,
  needs: { programs: redisPrograms, privileges: ['BGSAVE, INFO, LASTSAVE and TIME are permitted'] },
  maxFreezeSeconds: null,
  exitCodes: redisExitCodes,
  priorState: null,
  actions: (parameters) => ({
    preAction: {
      exec: { command: redisCommand(parameters, SCRIPT) },
      actionTimeoutSeconds: 300,
      idempotent: true,
    },
  }),
};

/**
 * A save that is running already started too early to count. LASTSAVE is in seconds of the server's clock.
 */
const SCRIPT = `set -e
idle() { while [ "$(fact persistence rdb_bgsave_in_progress)" = 1 ]; do sleep 0.1 2>/dev/null || sleep 1; done; }
idle
began=$(redis TIME | sed -n 1p)
redis BGSAVE >/dev/null
idle
status=$(fact persistence rdb_last_bgsave_status)
saved=$(redis LASTSAVE)
if [ "$status" != ok ] || [ "$saved" -lt "$began" ]; then
  echo "the save did not end well: status $status, saved at $saved, begun at $began; see the log of the server" >&2
  exit 4
fi
echo "saved at $saved"
`;
