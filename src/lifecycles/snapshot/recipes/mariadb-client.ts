import type { RecipeParameter } from './recipe.ts';
import { secretFunction, shellCommand, variablePattern } from './shell-command.ts';

/** The login parameters of all recipes for MariaDB and MySQL. */
export const mariadbParameters: readonly RecipeParameter[] = [
  { name: 'user', description: 'who logs in', defaultValue: 'root' },
  {
    name: 'passwordVariable',
    description:
      'name of the variable of the container that holds the password; also NAME_FILE is read. Empty: those of the official images',
    defaultValue: '',
    pattern: variablePattern,
  },
  {
    name: 'socket',
    description: 'the socket of the server; empty: where the client looks by itself',
    defaultValue: '',
  },
  {
    name: 'defaultsFile',
    description:
      'option file in the container with user, password and socket, instead of all above',
    defaultValue: '',
  },
];

const SCRIPT = `${secretFunction}
user=$1 variable=$2 socket=$3 defaults=$4
shift 4
program=mariadb
command -v mariadb >/dev/null || program=mysql
set -- --batch --skip-column-names --unbuffered "$@"
if [ -n "$defaults" ]; then exec "$program" --defaults-file="$defaults" "$@"; fi
password=$(secret $variable MARIADB_ROOT_PASSWORD MYSQL_ROOT_PASSWORD)
[ -z "$password" ] || export MYSQL_PWD="$password"
[ -z "$socket" ] || set -- --socket="$socket" "$@"
exec "$program" --user="$user" "$@"
`;

/** The client with these arguments. It exits with code 1 at the first statement that fails. */
export function mariadbCommand(
  parameters: Readonly<Record<string, string>>,
  ...args: readonly string[]
): string[] {
  const { user = '', passwordVariable = '', socket = '', defaultsFile = '' } = parameters;
  return shellCommand(SCRIPT, user, passwordVariable, socket, defaultsFile, ...args);
}

/**
 * A probe. It exits with 0 if the statement failed to get a lock (1205). It exits with 1 if the statement got its lock:
 * it succeeded, or failed with the error `free`. It exits with 2 if the server could not be asked. It does not wait for
 * the lock, since the application is frozen meanwhile; servers that do not support a timeout of 0 wait 1 s.
 */
export function isHeldUp(
  parameters: Readonly<Record<string, string>>,
  { statement, free }: { readonly statement: string; readonly free: number },
): string[] {
  const script = `free=$1; shift; told=$("$@" 2>&1) && exit 1
case $told in *"ERROR 1205 "*) exit 0 ;; *"ERROR $free "*) exit 1 ;; esac
printf '%s\\n' "$told" >&2; exit 2`;
  const bounded = `SET SESSION lock_wait_timeout = 0; ${statement}`;
  return shellCommand(script, String(free), ...mariadbCommand(parameters, '--execute', bounded));
}

export const mariadbExitCodes: Readonly<Record<number, string>> = {
  1: 'a statement failed, or the login did: the output says which',
  2: 'of the probe: the server could not be asked',
  127: 'the image has neither "mariadb" nor "mysql"',
};
