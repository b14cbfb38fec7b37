/** The check of MariaDB and MySQL, whose programs work alike. */
import type { RecipeVerify } from '../recipe.ts';
import {
  checkCommand,
  checkDefaults,
  directoryParameter,
  serverPrivileges,
} from './check-shell.ts';

export const mariadbCheck: RecipeVerify = {
  ...checkDefaults,
  summary:
    'Starts the server with the copy, which recovers it, then runs CHECK TABLE on every table.',
  tested: true,
  parameters: [
    directoryParameter,
    {
      name: 'defaultsFile',
      description: 'option file of the server in the image; empty: those that it reads by itself',
      defaultValue: '',
    },
  ],
  needs: {
    programs: [
      'sh',
      'mariadbd, mariadb-check and mariadb-admin, or mysqld, mysqlcheck and mysqladmin',
      'stat',
      'mktemp',
      'sed',
      'tail',
    ],
    privileges: serverPrivileges,
  },
  command: (parameters, path) =>
    checkCommand({ script: CHECK, path, parameters }, parameters['defaultsFile'] ?? ''),
};

/**
 * The exit code of the check program is 0 even if a table is corrupt, so the script reads the program's output. The
 * server of a replica's copy starts no replication: it would connect to its primary. The option has two names, and
 * `loose` lets a server ignore the other one.
 */
const CHECK = `[ -d "$copy/mysql" ] || broken "the copy has no system tables: $copy/mysql"
if command -v mariadbd >/dev/null; then daemon=mariadbd check=mariadb-check admin=mariadb-admin
else daemon=mysqld check=mysqlcheck admin=mysqladmin; fi
need "$daemon" "$check" "$admin"
answers() { "$admin" --no-defaults --socket="$work/socket" --user=root ping; }
set -- \${1:+"--defaults-file=$1"}
serve "$daemon" "$@" --datadir="$copy" --socket="$work/socket" --pid-file="$work/pid" --skip-networking --skip-grant-tables --skip-log-bin --loose-skip-slave-start --loose-skip-replica-start
said=$("$check" --no-defaults --socket="$work/socket" --user=root --all-databases --check 2>&1) || broken "$said"
case $(printf '%s\\n' "$said" | sed -n '/^[Ee]rror *:/p') in ?*) broken "$said" ;; esac
printf '%s\\n' "$said" | tail -n 1
`;
