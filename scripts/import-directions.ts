/**
 * The allowed imports between directories: the data of the rule in test/tidy.test.ts, and its picture in
 * ARCHITECTURE.md. `npx tsx scripts/generate-architecture.ts` writes the picture after a change here.
 */

/**
 * The directories that each directory of src and packages may import. All of them are listed above the importing one,
 * so that there is no cycle. `cli` and `library` may import all.
 */
export const ALLOWED_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  model: ['platform'],
  engine: ['platform', 'model'],
  store: ['platform', 'model', 'engine'],
  supervisor: ['platform', 'store'],
  kube: ['platform', 'model'],
  handlers: ['platform', 'model', 'engine', 'kube'],
  controller: ['platform', 'model', 'engine', 'kube'],
  lifecycles: [
    'platform',
    'model',
    'engine',
    'store',
    'supervisor',
    'kube',
    'handlers',
    'controller',
  ],
  observe: ['platform', 'model', 'controller', 'lifecycles'],
  timeline: ['platform', 'model', 'store', 'kube', 'controller', 'lifecycles'],
  'local-cluster': ['platform', 'model', 'store', 'supervisor', 'kube', 'controller'],
};

const BEGIN = '<!-- imports: npx tsx scripts/generate-architecture.ts -->';
const END = '<!-- /imports -->';

/** The text of ARCHITECTURE.md with the table of these imports between its two markers. */
export function withImportPicture(
  text: string,
  allowed: Readonly<Record<string, readonly string[]>> = ALLOWED_IMPORTS,
): string {
  const [before, rest = ''] = text.split(BEGIN);
  const after = rest.split(END)[1];
  if (after === undefined) throw new Error(`ARCHITECTURE.md has no ${BEGIN} ... ${END}`);
  return `${before}${BEGIN}\n\n\`\`\`text\n${picture(allowed)}\n\`\`\`\n\n${END}${after}`;
}

/** One line for each directory, with a dot below each earlier one that it may import. */
function picture(allowed: Readonly<Record<string, readonly string[]>>): string {
  const names = Object.keys(allowed);
  const width = Math.max(...names.map((name) => name.length));
  const lines = names.map((name, row) => {
    const later = (allowed[name] ?? []).filter((target) => !names.slice(0, row).includes(target));
    if (later.length > 0) throw new Error(`${name} may import ${later.join(', ')}: list it later`);
    const cells = names
      .slice(0, row)
      .map((target) => (allowed[name]?.includes(target) === true ? '●' : '·'));
    return `${name.padEnd(width)} │ ${[...cells, `${row + 1}`].join('  ')}`;
  });
  return lines.join('\n');
}
