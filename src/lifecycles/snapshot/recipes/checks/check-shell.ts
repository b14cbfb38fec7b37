/**
 * The shell functions and parameters that the checks of restored copies share.
 *
 * A check may start the application's own server with the copy. Such a server needs no password, and is reachable only
 * from within the pod.
 */
import type { RecipeParameter, RecipeVerify } from '../recipe.ts';
import { shellCommand } from '../shell-command.ts';

/** Parameter for the directory of the data in the volume. */
export const directoryParameter: RecipeParameter = {
  name: 'directory',
  description:
    'the directory of the data in the volume, without ".." and without a slash in front; empty: the volume itself',
  defaultValue: '',
  pattern: /^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))[^\n]*$/,
};

export const checkExitCodes: Readonly<Record<number, string>> = {
  1: 'the copy is not consistent, or its server does not start: the output says why',
  2: 'the check could not run: the output says why',
};

/** Privileges that a check needs if it starts a server. */
export const serverPrivileges: readonly string[] = [
  'the user owns the data, or is root and the image has setpriv, gosu or su-exec to run the server as the owner',
  'the user may write to the copy and to the temporary directory',
];

interface CheckInput {
  readonly script: string;
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** A command whose script can use FUNCTIONS. `$1` is the first of `args`, and `$copy` is the directory of the data. */
export function checkCommand(
  { script, path, parameters: { directory = '' } }: CheckInput,
  ...args: readonly string[]
): string[] {
  return shellCommand(`${FUNCTIONS}${script}`, path, directory, ...args);
}

/** Seconds that a check may take if the restore sets no limit, since a server may have much to recover. */
export const CHECK_SECONDS = 1_800;

export const checkDefaults: Pick<RecipeVerify, 'exitCodes' | 'timeoutSeconds'> = {
  exitCodes: checkExitCodes,
  timeoutSeconds: CHECK_SECONDS,
};

/**
 * The functions for check scripts. They make the path of the copy absolute, since servers read a relative path as one
 * in their own directory.
 *
 * `cannot TEXT` and `broken TEXT` end the check. `as_owner COMMAND...` replaces the shell, so call it in a subshell or
 * in the background. `serve COMMAND...` starts the server and waits until the function `answers` succeeds or the server
 * exits. It has no time limit, since the server may have much to recover.
 */
const FUNCTIONS = `cannot() { printf '%s\\n' "$1" >&2; exit 2; }
broken() { printf '%s\\n' "$1" >&2; exit 1; }
need() { for each; do command -v "$each" >/dev/null || cannot "the image has no \\"$each\\""; done; }
enter() { ([ -d "$1" ] && CDPATH= cd -- "$1" && pwd) || cannot "the user may not enter the directory $1"; }
copy=$(enter "$1") || exit 2
copy=$copy\${2:+/$2}
shift 2
[ -d "$copy" ] || broken "the copy has no directory $copy"
copy=$(enter "$copy") || exit 2
as_owner() {
  [ "$(id -u)" -eq 0 ] || exec "$@"
  user=$(stat -c %u "$copy") group=$(stat -c %g "$copy")
  if command -v gosu >/dev/null; then exec gosu "$user:$group" "$@"; fi
  if command -v su-exec >/dev/null; then exec su-exec "$user:$group" "$@"; fi
  exec setpriv --reuid="$user" --regid="$group" --clear-groups "$@"
}
serve() {
  [ "$(id -u)" -ne 0 ] || command -v gosu >/dev/null || command -v su-exec >/dev/null || need setpriv
  as_owner "$@" >"$work/log" 2>&1 &
  server=$!
  until answers >/dev/null 2>&1; do
    kill -0 "$server" 2>/dev/null || { tail -n 20 "$work/log" >&2; broken 'the server does not start with the copy'; }
    sleep 0.2 2>/dev/null || sleep 1
  done
}
server=
work=$(mktemp -d) || cannot 'there is no temporary directory to write to'
trap '[ -z "$server" ] || { kill "$server"; wait "$server"; } 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 2' TERM INT HUP
[ "$(id -u)" -ne 0 ] || chown "$(stat -c %u:%g "$copy")" "$work"
`;
