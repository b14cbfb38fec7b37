import type * as Yaml from 'yaml';

/** The YAML package, loaded when the first text needs it: most starts never see one. */
export async function loadYaml(): Promise<Omit<typeof Yaml, 'default'>> {
  // It is CommonJS inside: everywhere, and in a bundle only so, all of it is its default.
  return (await import('yaml')).default;
}
