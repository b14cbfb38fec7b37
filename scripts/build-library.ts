/** Builds the library of the package: `library/` gets the ES module `library.js` and its declarations. */
import { build, type Metafile } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import process from 'node:process';

/** Path of the entry, relative to src. */
export const LIBRARY_ENTRY = 'library/lifehook.ts';
/** Anchored at the start of a line, to skip imports in comments. */
const IMPORT = /^(?:import|export) [^;]*? from '([^']+)'/gm;

/** Resolves with the input files of the module. */
export async function buildLibrary(outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: { library: `src/${LIBRARY_ENTRY}` },
    outdir: join(outdir, 'library'),
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    legalComments: 'none',
    minifyWhitespace: true,
    lineLimit: 160,
    metafile: true,
    logLevel: 'warning',
  });
  // Declares ES modules, because the programs in the directory above are CommonJS.
  await writeFile(join(outdir, 'library', 'package.json'), '{ "type": "module" }\n');
  await withDeclarations([], (declared) => keepNeeded(declared, join(outdir, 'library')));
  return metafile;
}

/** Compiles src to declarations in a temporary directory, calls `use` with it, and removes it. */
export async function withDeclarations<T>(
  options: readonly string[],
  use: (directory: string) => Promise<T>,
): Promise<T> {
  const declared = await mkdtemp(join(tmpdir(), 'lifehook-types-'));
  try {
    const compiler = 'node_modules/typescript/bin/tsc';
    const project = ['-p', 'scripts/library.tsconfig.json', '--outDir', declared, ...options];
    execFileSync(process.execPath, [compiler, ...project], { stdio: 'inherit' });
    return await use(join(declared, 'src'));
  } finally {
    await rm(declared, { recursive: true });
  }
}

/** Keeps only the declarations that the entry reaches. */
async function keepNeeded(from: string, to: string): Promise<void> {
  const needed = new Set([LIBRARY_ENTRY]);
  for (const path of needed) {
    const declaration = path.replace(/\.ts$/, '.d.ts');
    const text = await readFile(join(from, declaration), 'utf8');
    for (const [, imported = ''] of text.matchAll(IMPORT)) {
      // Users of the library would have to install the types of that package too.
      if (!imported.startsWith('.')) throw new Error(`${path} tells of the package ${imported}`);
      needed.add(normalize(join(dirname(path), imported)));
    }
    await mkdir(dirname(join(to, declaration)), { recursive: true });
    await writeFile(join(to, declaration), text.replaceAll(/(from '\.[^']+)\.ts'/g, "$1.js'"));
  }
}
