/** The files that scripts/generate-types.ts writes, as text. */
import { readOpenApi, SCOPE } from './openapi-table.ts';

/** `read` returns the server's document at a path. */
export async function generatedFiles(
  read: (path: string) => Promise<unknown>,
): Promise<{ path: string; text: string }[]> {
  const paths = Object.keys(SCOPE).map((path) => `/openapi/v3/${path}`);
  const { table, docs } = readOpenApi(await Promise.all(paths.map(read)));
  return [
    {
      path: 'packages/local-cluster/src/objects/table/builtin-types.json',
      text: oneLineEach(table),
    },
    {
      path: 'packages/local-cluster/src/objects/openapi/builtin-docs.json',
      text: oneLineEach(docs),
    },
  ];
}

/** One definition per line, so that the file is small and a change of one type changes one line. */
export function oneLineEach(value: object): string {
  const lines = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}:${JSON.stringify(one)}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}
