import type { RecipeParameter } from './recipe.ts';
import { secretFunction, shellCommand, variablePattern } from './shell-command.ts';

export const postgresqlParameters: readonly RecipeParameter[] = [
  {
    name: 'user',
    description: 'who logs in; empty: POSTGRES_USER of the container, else postgres',
    defaultValue: '',
  },
  { name: 'database', description: 'to log in to', defaultValue: 'postgres' },
  {
    name: 'passwordVariable',
    description:
      'name of the variable of the container that holds the password; also NAME_FILE is read. Empty: PGPASSWORD or POSTGRES_PASSWORD',
    defaultValue: '',
    pattern: variablePattern,
  },
];

/** Without ON_ERROR_STOP psql exits with 0 even if a statement failed. */
const SCRIPT = `${secretFunction}
user=\${1:-\${POSTGRES_USER:-postgres}} database=$2 variable=$3
shift 3
password=$(secret $variable PGPASSWORD POSTGRES_PASSWORD)
[ -z "$password" ] || export PGPASSWORD="$password"
exec psql -X -q -A -t -v ON_ERROR_STOP=1 --no-password --username="$user" --dbname="$database" "$@"
`;

export function postgresqlCommand(
  { user = '', database = '', passwordVariable = '' }: Readonly<Record<string, string>>,
  ...args: readonly string[]
): string[] {
  return shellCommand(SCRIPT, user, database, passwordVariable, ...args);
}

export const postgresqlExitCodes: Readonly<Record<number, string>> = {
  1: 'a statement failed: the output says which',
  2: 'the server was not reached, or the login was refused',
  3: 'a statement of a session failed',
  127: 'the image has no "psql"',
};
