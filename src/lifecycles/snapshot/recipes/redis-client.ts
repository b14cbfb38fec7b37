import type { RecipeParameter } from './recipe.ts';
import { secretFunction, shellCommand, variablePattern } from './shell-command.ts';

export const redisParameters: readonly RecipeParameter[] = [
  { name: 'port', description: 'of the server', defaultValue: '6379', pattern: /^\d{1,5}$/ },
  {
    name: 'passwordVariable',
    description:
      'name of the variable of the container that holds the password; also NAME_FILE is read. Empty: REDISCLI_AUTH or REDIS_PASSWORD',
    defaultValue: '',
    pattern: variablePattern,
  },
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
export function redisCommand(
  { port = '', passwordVariable = '' }: Readonly<Record<string, string>>,
  script: string,
  ...args: readonly string[]
): string[] {
  return shellCommand(`${FUNCTIONS}${script}`, port, passwordVariable, ...args);
}

export const redisExitCodes: Readonly<Record<number, string>> = {
  1: 'the server was not reached or answered with an error: the output says which',
  4: 'the server is not in the state that this recipe needs: the output says which',
  127: 'the image lacks "redis-cli", "sed", "tr" or "sleep"',
};

export const redisPrograms: readonly string[] = ['sh', 'redis-cli', 'sed', 'tr', 'sleep'];
