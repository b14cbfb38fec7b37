/** Which fields of one schema another one lacks. Pure. */

/** The part of an OpenAPI schema in which fields are nested. */
interface Nested {
  readonly properties?: Readonly<Record<string, Nested>>;
  readonly items?: Nested | object;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
}

/** "spec.rescue.image"; of a field that is missing, not what would be in it. */
export function missingFields(ours: Nested, theirs: Nested, path: string = ''): readonly string[] {
  if (theirs['x-kubernetes-preserve-unknown-fields'] === true) return [];
  const fields = Object.entries(ours.properties ?? {}).flatMap(([name, field]) => {
    const there = theirs.properties?.[name];
    const at = path === '' ? name : `${path}.${name}`;
    return there === undefined ? [at] : missingFields(field, there, at);
  });
  const { items } = ours;
  return items === undefined
    ? fields
    : [...fields, ...missingFields(items, theirs.items ?? {}, `${path}[]`)];
}
