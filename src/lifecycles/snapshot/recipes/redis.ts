/** The recipes for Redis, and the client that they share. */
import { redisCheck } from './checks/redis.ts';
import type { Recipe, RecipeParameter } from './recipe.ts';
import {
  passwordParameter,
  secondsPattern,
  secretFunction,
  shellCommand,
} from './shell-command.ts';

const redisParameters: readonly RecipeParameter[] = [
  { name: 'port', description: 'port of the server', defaultValue: '6379', pattern: /^\d{1,5}$/ },
  passwordParameter('REDISCLI_AUTH or REDIS_PASSWORD'),
];

/** `redis WORD...` fails if the server answers with an error; plain redis-cli does not. */
const FUNCTIONS = `${secretFunction}
port=$1 variable=$2
shift 2
REDISCLI_AUTH=$(secret $variable REDISCLI_AUTH REDIS_PASSWORD)
if [ -n "$REDISCLI_AUTH" ]; then export REDISCLI_AUTH; else unset REDISCLI_AUTH; fi
redis() { redis-cli -e -p "$port" "$@"; }
fact() { redis INFO "$1" | tr -d '\\r' | sed -n "s/^$2://p"; }
`;

/** A script that can use `redis WORD...` and `fact SECTION NAME`; its arguments start at $1. */
function redisCommand(
  { port = '', passwordVariable = '' }: Readonly<Record<string, string>>,
  script: string,
  ...args: readonly string[]
): string[] {
  return shellCommand(`${FUNCTIONS}${script}`, port, passwordVariable, ...args);
}

const redisExitCodes: Readonly<Record<number, string>> = {
  1: 'the server was not reached or answered with an error: the output says which',
  4: 'the server is not in the state that this recipe needs: the output says which',
  127: 'the image lacks "redis-cli", "sed", "tr" or "sleep"',
};

const redisPrograms: readonly string[] = ['sh', 'redis-cli', 'sed', 'tr', 'sleep'];

/** The dump is complete once it exists, so there is nothing to undo; later writes are not in it. */
export const redisRdb: Recipe = {
  name: 'redis-rdb',
  application: 'Redis with RDB',
  summary: 'Completes a BGSAVE before the cut; writes continue, but are not in the copy.',
  lockClass: 'none',
  lockScope: 'Process',
  tested: true,
  parameters: redisParameters,
  needs: { programs: redisPrograms, privileges: ['BGSAVE, INFO, LASTSAVE and TIME are permitted'] },
  maxFreezeSeconds: null,
  exitCodes: redisExitCodes,
  priorState: null,
  verify: redisCheck,
  actions: (parameters) => ({
    preAction: {
      exec: { command: redisCommand(parameters, SAVE) },
      actionTimeoutSeconds: 300,
      idempotent: true,
    },
  }),
};

/**
 * A save that is already running does not count, because it started too early. LASTSAVE is in seconds of the server's
 * clock.
 */
const SAVE = `set -e
idle() { while [ "$(fact persistence rdb_bgsave_in_progress)" = 1 ]; do sleep 0.1 2>/dev/null || sleep 1; done; }
idle
began=$(redis TIME | sed -n 1p)
redis BGSAVE >/dev/null
idle
status=$(fact persistence rdb_last_bgsave_status)
saved=$(redis LASTSAVE)
if [ "$status" != ok ] || [ "$saved" -lt "$began" ]; then
  echo "the save did not succeed: status $status, saved at $saved, begun at $began; see the log of the server" >&2
  exit 4
fi
echo "saved at $saved"
`;

/**
 * The append-only file may be copied while the server appends to it, but not while the server rewrites it. The setting
 * outlives every connection, so the session helper restores it.
 */
export const redisAof: Recipe = {
  name: 'redis-aof',
  application: 'Redis with AOF',
  summary: 'Keeps the append-only file from being rewritten during the cut; writes continue.',
  lockClass: 'flag',
  lockScope: 'Process',
  tested: true,
  parameters: redisParameters,
  needs: { programs: redisPrograms, privileges: ['CONFIG GET, CONFIG SET and INFO are permitted'] },
  maxFreezeSeconds: 3600,
  exitCodes: redisExitCodes,
  priorState:
    'auto-aof-rewrite-percentage is read before it is set to 0, and then restored to its old value',
  verify: redisCheck,
  actions: (parameters) => ({
    preAction: {
      session: {
        freeze: redisCommand(parameters, STOP_REWRITES),
        thaw: redisCommand(parameters, ALLOW_REWRITES),
      },
      actionTimeoutSeconds: 120,
    },
    probe: {
      command: redisCommand(parameters, ARE_REWRITES_STOPPED),
      timeoutSeconds: 10,
    },
    expirationSeconds: 600,
  }),
};

const PERCENTAGE = 'percentage() { redis CONFIG GET auto-aof-rewrite-percentage | sed -n 2p; }\n';

const ARE_REWRITES_STOPPED = `${PERCENTAGE}
now=$(percentage)
[ -n "$now" ] || exit 2
[ "$now" = 0 ]
`;

/** Prints the earlier setting before it changes it, so that the thaw knows it even if the freeze is interrupted. */
const STOP_REWRITES = `set -e
${PERCENTAGE}
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

const ALLOW_REWRITES = `set -e
${PERCENTAGE}
case \${LIFEHOOK_PRIOR-} in
'' | *[!0-9]*)
  [ "$(percentage)" = 0 ] || exit 0
  echo 'the old value of auto-aof-rewrite-percentage is not known: set it by hand (the default is 100)' >&2
  exit 4 ;;
esac
redis CONFIG SET auto-aof-rewrite-percentage "$LIFEHOOK_PRIOR"
`;

/** The server itself ends the pause, even if the controller is killed. */
export const redisPause: Recipe = {
  name: 'redis-pause',
  application: 'Redis 6.2 and later',
  summary: 'Pauses writes for a time that the server itself limits; reads continue.',
  lockClass: 'selfExpiring',
  lockScope: 'Process',
  tested: true,
  parameters: [
    ...redisParameters,
    {
      name: 'pauseSeconds',
      description: 'whole seconds, 1 to 86400, after which the server continues by itself',
      defaultValue: '30',
      pattern: secondsPattern,
    },
  ],
  needs: {
    programs: [...redisPrograms, 'timeout'],
    privileges: ['CLIENT PAUSE, CLIENT UNPAUSE, DEL and INFO are permitted'],
  },
  maxFreezeSeconds: null,
  exitCodes: { ...redisExitCodes, 2: 'the probe could not reach the server' },
  priorState: null,
  verify: redisCheck,
  actions: (parameters) => {
    const { pauseSeconds = '30' } = parameters;
    return {
      preAction: {
        exec: { command: redisCommand(parameters, PAUSE_WRITES, pauseSeconds) },
        idempotent: true,
      },
      postAction: {
        exec: { command: redisCommand(parameters, 'redis CLIENT UNPAUSE') },
        idempotent: true,
      },
      probe: { command: redisCommand(parameters, ARE_WRITES_PAUSED), timeoutSeconds: 10 },
      expirationSeconds: Number(pauseSeconds),
    };
  },
};

/** Waits until the buffer is empty, since only then all earlier writes are in the append-only file. */
const PAUSE_WRITES = `set -e
redis CLIENT PAUSE "$1"000 WRITE
[ "$(fact persistence aof_enabled)" = 1 ] || exit 0
while [ "$(fact persistence aof_buffer_length)$(fact persistence aof_pending_bio_fsync)" != 00 ]; do
  sleep 0.1 2>/dev/null || sleep 1
done
`;

/** Deletes a key that does not exist. This write changes nothing, but a pause blocks it. */
const ARE_WRITES_PAUSED = `timeout 1 redis-cli -e -p "$port" DEL lifehook:probe:nothing >/dev/null
case $? in 124 | 143) exit 0 ;; 0) exit 1 ;; esac
exit 2
`;
