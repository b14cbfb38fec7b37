import { redisCommand, redisExitCodes, redisParameters, redisPrograms } from './redis-client.ts';
import type { Recipe } from './recipe.ts';
import { secondsPattern } from './shell-command.ts';

/** The server itself ends the pause, even if we are killed. */
export const redisPause: Recipe = {
  name: 'redis-pause',
  application: 'Redis 6.2 and later',
  summary: 'Pauses writes for a time that the server itself bounds; reads go on.',
  lockClass: 'selfExpiring',
  lockScope: 'Process',
  tested: true,
  parameters: [
    ...redisParameters,
    {
      name: 'pauseSeconds',
      description: 'whole seconds after which the server goes on by itself',
      defaultValue: '30',
      pattern: secondsPattern,
    },
  ],
  needs: {
    programs: [...redisPrograms, 'timeout'],
    privileges: ['CLIENT PAUSE, CLIENT UNPAUSE, DEL and INFO are permitted'],
  },
  maxFreezeSeconds: null,
  exitCodes: { ...redisExitCodes, 2: 'of the probe: the server could not be asked' },
  priorState: null,
  actions: (parameters) => {
    const { pauseSeconds = '30' } = parameters;
    return {
      preAction: {
        exec: { command: redisCommand(parameters, FREEZE, pauseSeconds) },
        idempotent: true,
      },
      postAction: {
        exec: { command: redisCommand(parameters, 'redis CLIENT UNPAUSE') },
        idempotent: true,
      },
      probe: { command: redisCommand(parameters, PROBE), timeoutSeconds: 10 },
      expirationSeconds: Number(pauseSeconds),
    };
  },
};

/** Earlier writes are in the append-only file only when its buffer is empty. */
const FREEZE = `set -e
redis CLIENT PAUSE "$1"000 WRITE
[ "$(fact persistence aof_enabled)" = 1 ] || exit 0
while [ "$(fact persistence aof_buffer_length)$(fact persistence aof_pending_bio_fsync)" != 00 ]; do
  sleep 0.1 2>/dev/null || sleep 1
done
`;

/** Deletes a key that does not exist: a write that changes nothing, but is blocked by a pause. */
const PROBE = `timeout 1 redis-cli -e -p "$port" DEL lifehook:probe:nothing >/dev/null
case $? in 124 | 143) exit 0 ;; 0) exit 1 ;; esac
exit 2
`;
