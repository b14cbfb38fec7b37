import { redisCommand, redisExitCodes, redisParameters, redisPrograms } from './redis-client.ts';
import type { Recipe } from './recipe.ts';

/**
 * The append-only file may be copied while it is written to, but not while it is rewritten. The setting outlives every
 * connection, so the session helper restores it.
 */
export const redisAof: Recipe = {
  name: 'redis-aof',
  application: 'Redis with AOF',
  summary: 'Keeps the append-only file from being rewritten during the cut; writes go on.',
  lockClass: 'flag',
  lockScope: 'Process',
  tested: true,
  parameters: redisParameters,
  needs: { programs: redisPrograms, privileges: ['CONFIG GET, CONFIG SET and INFO are permitted'] },
  maxFreezeSeconds: 3600,
  exitCodes: redisExitCodes,
  priorState: 'auto-aof-rewrite-percentage is read before it is set to 0, and given back as it was',
  actions: (parameters) => ({
    preAction: {
      session: {
        freeze: redisCommand(parameters, FREEZE),
        thaw: redisCommand(parameters, THAW),
      },
      actionTimeoutSeconds: 120,
    },
    probe: {
      command: redisCommand(parameters, PROBE),
      timeoutSeconds: 10,
    },
    expirationSeconds: 600,
  }),
};

const GET = 'percentage() { redis CONFIG GET auto-aof-rewrite-percentage | sed -n 2p; }\n';

const PROBE = `${GET}
now=$(percentage)
[ -n "$now" ] || exit 2
[ "$now" = 0 ]
`;

/** Prints the earlier state before it changes it: the thaw then knows it even if the freeze is interrupted. */
const FREEZE = `set -e
${GET}
if [ "$(fact persistence aof_enabled)" != 1 ]; then
  echo 'appendonly is off: use the recipe redis-rdb or redis-pause' >&2
  exit 4
fi
percentage
redis CONFIG SET auto-aof-rewrite-percentage 0 >/dev/null
while [ "$(fact persistence aof_rewrite_in_progress)$(fact persistence aof_rewrite_scheduled)" != 00 ]; do
  sleep 0.1 2>/dev/null || sleep 1
done
`;

const THAW = `set -e
${GET}
case \${LIFEHOOK_PRIOR-} in
'' | *[!0-9]*)
  [ "$(percentage)" = 0 ] || exit 0
  echo 'what auto-aof-rewrite-percentage was before is not known: set it by hand (the default is 100)' >&2
  exit 4 ;;
esac
redis CONFIG SET auto-aof-rewrite-percentage "$LIFEHOOK_PRIOR"
`;
