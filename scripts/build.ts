/** Builds the command line: one small entry and a chunk per command, so that a start loads little. */
import { build } from 'esbuild';
import { chmod, rm } from 'node:fs/promises';

// All of it: a shim of another version would not understand what this one writes for it.
await rm('dist', { recursive: true, force: true });
await build({
  entryPoints: {
    lifehook: 'src/main.ts',
    supervise: 'src/cli/supervise-main.ts',
    keep: 'src/cli/keep-main.ts',
  },
  outdir: 'dist',
  chunkNames: 'cli/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  legalComments: 'linked',
  logLevel: 'warning',
  // commander is CommonJS inside; esbuild's ESM output has no require of its own.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});
await chmod('dist/lifehook.js', 0o755);
