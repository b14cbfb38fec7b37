/** Field numbers of built-in types, read from the tags of Go structs. */

/**
 * The fields of each struct in a types.go, in the syntax of packages/local-cluster/src/api/protobuf/decode-protobuf.ts.
 */
export function structRows(source: string): Map<string, string> {
  const rows = new Map<string, string>();
  for (const [, name = '', body = ''] of source.matchAll(
    /^type (\w+) struct \{\n([\s\S]*?)^\}/gm,
  )) {
    const fields = [...body.matchAll(FIELD)].flatMap(([, , pointer, type, tags]) =>
      fieldWord({ pointer: pointer === '*', type: type ?? '', tags: tags ?? '' }),
    );
    if (fields.length > 0) rows.set(name, fields.join(' '));
  }
  return rows;
}

/** Matches one field: its name (which an embedded type omits), its type and its tags. */
const FIELD = /^\t(?:(\w+)\s+)?(\*?)([\w.[\]*]+)\s+`([^`]*)`/gm;

interface GoField {
  readonly pointer: boolean;
  readonly type: string;
  readonly tags: string;
}

function fieldWord({ pointer, type, tags }: GoField): string[] {
  const [name = '', ...options] = /json:"([^"]*)"/.exec(tags)?.[1]?.split(',') ?? [];
  const number = /protobuf:"\w+,(\d+),/.exec(tags)?.[1];
  if (number === undefined) return [];
  if (name === '' || options.includes('inline')) return [`${number}<${type}`];
  return [`${number}${pointer ? '*' : '='}${name}`];
}
