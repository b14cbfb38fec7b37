/** The files that scripts/generate-types.ts writes, as text. */
import { readSwagger } from './swagger-table.ts';

export function generatedFiles(swagger: unknown): { path: string; text: string }[] {
  const { table, docs } = readSwagger(swagger);
  return [
    { path: 'src/cluster/objects/table/builtin-types.json', text: oneLineEach(table) },
    { path: 'src/cluster/objects/openapi/builtin-docs.json', text: oneLineEach(docs) },
  ];
}

/** One definition per line: small, and a change of one type is a change of one line. */
function oneLineEach(value: object): string {
  const lines = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}:${JSON.stringify(one)}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}
