/**
 * Builds the command line into dist, or with `--out FOLDER` elsewhere: small entries, and the parts that
 * they load with what V8 has compiled of them.
 */
import { build, type BuildOptions } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { chmod, rm, writeFile } from 'node:fs/promises';
import process from 'node:process';

import { PAGE_FILE } from '../src/timeline/page.ts';
import { timelinePageHtml } from './timeline-page.ts';

import { buildLibrary } from './build-library.ts';

const at = process.argv.indexOf('--out');
const outdir = (at === -1 ? undefined : process.argv[at + 1]) ?? 'dist';

const shared: BuildOptions = {
  outdir,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  // Only for users who log in through a plugin, and larger than all the rest.
  external: ['@kubernetes/client-node'],
  legalComments: 'linked',
  logLevel: 'warning',
};

// All of it: a shim of another version would not understand what this one writes for it.
await rm(outdir, { recursive: true, force: true });
await build({
  ...shared,
  entryPoints: {
    lifehook: 'src/main.ts',
    supervise: 'src/cli/supervise-main.ts',
    'keep-deadline': 'src/cli/keep-deadline-main.ts',
    keep: 'src/cli/keep-main.ts',
  },
  format: 'esm',
});
await chmod(`${outdir}/lifehook.js`, 0o755);
const script: BuildOptions = { ...shared, format: 'cjs', outExtension: { '.js': '.cjs' } };
// Faster to start than a module.
await build({ ...script, entryPoints: { serve: 'src/cli/serve-main.ts' } });
await build({
  ...script,
  entryPoints: {
    program: 'src/cli/program.ts',
    up: 'src/cli/up-program.ts',
    cluster: 'src/cli/cluster/cluster-main.ts',
  },
  // The function expression that `loadCompiled` calls.
  banner: { js: '(function (exports, require, module) {' },
  footer: { js: '})' },
});
await buildLibrary(outdir);
await writeFile(`${outdir}/${PAGE_FILE}`, await timelinePageHtml());
// What its commands say is of no interest.
execFileSync(process.execPath, [...process.execArgv, 'scripts/compile.ts', outdir], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
