/** Bundles a program of the simulations into one file, so that no process has to compile TypeScript. */
import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** A source file that the bundle replaces with another text. */
export interface Replacement {
  /** Path from the root of the repository. */
  readonly file: string;
  readonly change: (text: string) => string;
}

/** `entry`: path from the root of the repository. */
export async function bundle(
  entry: string,
  { outfile, replacement }: { readonly outfile: string; readonly replacement?: Replacement },
): Promise<void> {
  const replaced = replacement === undefined ? null : join(ROOT, replacement.file);
  await build({
    entryPoints: [join(ROOT, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'silent',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    plugins: [
      {
        name: 'replacement',
        setup(plugin) {
          plugin.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
            if (replacement === undefined || path !== replaced) return undefined;
            return { contents: replacement.change(await readFile(path, 'utf8')), loader: 'ts' };
          });
        },
      },
    ],
  });
}
