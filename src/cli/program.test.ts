import { build, type Metafile } from 'esbuild';
import { expect, it } from 'vitest';

const ENTRY = 'src/cli/program.ts';

/** Maximum bytes of Lifehook's own code at a start. A larger program has imported more than declarations. */
const OWN_BYTES_MAX = 115_000;

/** The modules that every start of the program loads, for any command. */
function loadedAtOnce({ inputs }: Metafile): Set<string> {
  const loaded = new Set([ENTRY]);
  for (const path of loaded) {
    for (const { kind, path: imported } of inputs[path]?.imports ?? []) {
      if (kind !== 'dynamic-import' && imported in inputs) loaded.add(imported);
    }
  }
  return loaded;
}

it('the program declares all commands without loading their implementation', async () => {
  const { metafile } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    packages: 'external',
    platform: 'node',
    write: false,
    metafile: true,
  });
  const loaded = [...loadedAtOnce(metafile)];
  const packages = loaded.flatMap((path) =>
    (metafile.inputs[path]?.imports ?? [])
      .filter(({ kind, external }) => external === true && kind !== 'dynamic-import')
      .map((imported) => imported.path),
  );
  expect([...new Set(packages)].filter((name) => !name.startsWith('node:'))).toEqual(['commander']);
  const bytes = loaded.map((path) => metafile.inputs[path]?.bytes ?? 0);
  expect(bytes.reduce((sum, each) => sum + each)).toBeLessThan(OWN_BYTES_MAX);
});
