import type * as Yaml from 'yaml';

/** The YAML package, loaded when the first text needs it: most starts never do. */
export async function loadYaml(): Promise<Omit<typeof Yaml, 'default'>> {
  // It is a CommonJS package: its default export has everything, and in a bundle only that one does.
  return (await import('yaml')).default;
}
