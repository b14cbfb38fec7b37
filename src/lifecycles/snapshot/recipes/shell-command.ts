import type { RecipeParameter } from './recipe.ts';

/**
 * Runs a script with the `sh` of the container. User input is passed as arguments (`$1` and so on), and is never part
 * of the script.
 */
export function shellCommand(script: string, ...args: readonly string[]): string[] {
  return ['sh', '-c', script, 'lifehook-recipe', ...args];
}

/**
 * The shell function `secret NAME...`: prints the value of the first of these variables that is set. As in the official
 * images, the variable NAME_FILE may name a file with the value instead. So a password is never in an argument, which
 * every process could read.
 */
export const secretFunction = `secret() {
  for name; do
    eval "value=\\\${$name-} file=\\\${\${name}_FILE-}"
    if [ -z "$value" ] && [ -n "$file" ]; then IFS= read -r value <"$file" || :; fi
    if [ -n "$value" ]; then printf %s "$value"; return; fi
  done
}
`;

/** Name of an environment variable; '' is allowed. The name is passed to `eval`. */
export const variablePattern: RegExp = /^([A-Za-z_]\w{0,63})?$/;

/** The parameter for the password of a login; `byDefault`: the variables that are used if it is empty. */
export function passwordParameter(byDefault: string): RecipeParameter {
  return {
    name: 'passwordVariable',
    description: `NAME of the container's environment variable with the password; if NAME is not set, the file at the path in NAME_FILE is read. Empty: ${byDefault}`,
    defaultValue: '',
    pattern: variablePattern,
  };
}

/** Whole seconds from 1 to 86400 (one day), the limit of every freeze (EXPIRATION_SECONDS_MAX). */
export const secondsPattern: RegExp = /^(?:[1-9]\d{0,3}|[1-7]\d{4}|8[0-5]\d{3}|86[0-3]\d\d|86400)$/;
