/**
 * `$(NAME)` in values, commands and arguments. A name that is not there stays as it is written, and
 * `$$(NAME)` is the text `$(NAME)`.
 */
export function expand(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\$|\$\(([^)]*)\)/g, (found, name: string | undefined) => {
    if (found === '$$') return '$';
    return name === undefined ? found : (env[name] ?? found);
  });
}
