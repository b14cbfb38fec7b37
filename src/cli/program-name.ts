/** How the program is called: by its own name, or as a plugin of kubectl, which starts `kubectl-lifehook`. Pure. */
const NAME = 'lifehook';
const PLUGIN = 'kubectl lifehook';

/** `path`: the second word of the process, "/usr/bin/kubectl-lifehook". */
export function programName(path: string): string {
  return /(?:^|[\\/])kubectl-lifehook(?:\.\w+)?$/u.test(path) ? PLUGIN : NAME;
}

/** A help text with its examples as they are typed where the program has that name. */
export function inItsName(text: string, name: string): string {
  return name === NAME ? text : text.replaceAll(/^( +)lifehook /gmu, `$1${name} `);
}
