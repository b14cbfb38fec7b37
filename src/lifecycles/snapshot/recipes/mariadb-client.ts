import type { RecipeParameter } from './recipe.ts';
import { secretFunction, shellCommand, variablePattern } from './shell-command.ts';

/** How the recipes for MariaDB and MySQL log in: in all of them alike. */
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

/** The client with these arguments. It ends at the first statement that fails, with code 1. */
export function mariadbCommand(
  parameters: Readonly<Record<string, string>>,
  ...args: readonly string[]
): string[] {
  const { user = '', passwordVariable = '', socket = '', defaultsFile = '' } = parameters;
  return shellCommand(SCRIPT, user, passwordVariable, socket, defaultsFile, ...args);
}

/** Exits 0 when the statement fails with exactly this error of the server, 1 when with another or none. */
export function failsWith(
  parameters: Readonly<Record<string, string>>,
  { statement, error }: { readonly statement: string; readonly error: number },
): string[] {
  const script = `error=$1; shift; told=$("$@" 2>&1) && exit 1
case $told in *"ERROR $error "*) exit 0 ;; esac
printf '%s\\n' "$told" >&2; exit 1`;
  return shellCommand(script, String(error), ...mariadbCommand(parameters, '--execute', statement));
}

export const mariadbExitCodes: Readonly<Record<number, string>> = {
  1: 'a statement failed, or the login did: the output says which',
  127: 'the image has neither "mariadb" nor "mysql"',
};
