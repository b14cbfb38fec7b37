/**
 * A script for the `sh` of the container. What a user gave goes in as arguments, `$1` and so on, and is
 * never part of the script.
 */
export function shellCommand(script: string, ...args: readonly string[]): string[] {
  return ['sh', '-c', script, 'lifehook-recipe', ...args];
}

/**
 * Sh: the function `secret NAME...` prints the value of the first of these variables of the container
 * that is set, or what stands in the file that NAME_FILE names, as the official images have it. So a
 * password never stands in an argument, which every process could read.
 */
export const secretFunction = `secret() {
  for name; do
    eval "value=\\\${$name-} file=\\\${\${name}_FILE-}"
    if [ -z "$value" ] && [ -n "$file" ]; then IFS= read -r value <"$file" || :; fi
    if [ -n "$value" ]; then printf %s "$value"; return; fi
  done
}
`;

/** Name of a variable, which goes through \`eval\`. */
export const variablePattern: RegExp = /^([A-Za-z_]\w{0,63})?$/;

/** From 1 to a day. */
export const secondsPattern: RegExp = /^[1-9]\d{0,4}$/;
