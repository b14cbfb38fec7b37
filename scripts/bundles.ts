/** The esbuild options for each kind of program. */
import type { BuildOptions, Plugin } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

interface Apart {
  readonly part: string;
  readonly entry: string;
}

/**
 * Modules that are bundled separately and loaded on import, by import path. So a shared package is in the program once.
 */
const APART: Readonly<Record<string, Apart>> = {
  // Needed only by users who log in through a plugin. Bundles only this part of the package, because the rest is
  // larger.
  '@kubernetes/client-node': {
    part: 'credentials',
    entry: '@kubernetes/client-node/dist/config.js',
  },
  '@marcbachmann/cel-js': { part: 'cel-js', entry: '@marcbachmann/cel-js' },
  ...Object.fromEntries(
    ['croner', 'pino', 're2js', 'tar', 'ws', 'yaml'].map((name) => [
      name,
      { part: name, entry: name },
    ]),
  ),
  './builtin-rows.ts': {
    part: 'builtin-rows',
    entry: 'packages/local-cluster/src/objects/table/builtin-rows.ts',
  },
  // Loaded only for a request for OpenAPI documents. This module is a sixth of the local cluster's bundle.
  './builtin-docs.ts': {
    part: 'builtin-docs',
    entry: 'packages/local-cluster/src/objects/openapi/builtin-docs.ts',
  },
};

const apart: Plugin = {
  name: 'apart',
  setup: (build) => {
    build.onResolve({ filter: /^/ }, ({ path, kind }) => {
      const found = kind === 'entry-point' ? undefined : APART[path];
      return found && { path: `./${found.part}.cjs`, external: true };
    });
  },
};

/** Compresses this text, which is large and rarely needed: it takes a quarter of its size in the package. */
const PACKED = /\/builtin-docs\.json$/;

const packed: Plugin = {
  name: 'packed',
  setup: (build) => {
    build.onLoad({ filter: PACKED }, async ({ path }) => {
      const bytes = gzipSync(await readFile(path), { level: 9 }).toString('base64');
      const contents = `import { gunzipSync } from 'node:zlib';
        const bytes = Buffer.from('${bytes}', 'base64');
        export default JSON.parse(gunzipSync(bytes).toString());`;
      return { contents, loader: 'js' };
    });
  },
};

/** Uses the `fetch` of Node: the package that replaces it loads deprecated modules of Node. */
const ownFetch: Plugin = {
  name: 'own fetch',
  setup: (build) => {
    const namespace = 'own-fetch';
    const contents = 'export const { Headers } = globalThis; export default globalThis.fetch;';
    build.onResolve({ filter: /^node-fetch$/ }, ({ path }) => ({ path, namespace }));
    build.onLoad({ filter: /^/, namespace }, () => ({ contents }));
  },
};

/** Programs that Node starts, as CommonJS (docs/decisions/compiled-code.md). */
export const programs: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
  minifySyntax: true,
  // White space is a quarter of the size. Names stay, for stack traces.
  minifyWhitespace: true,
  lineLimit: 160,
  // CommonJS has no `import.meta.url`; packages are searched next to the program.
  define: { 'import.meta.url': '__filename' },
  // Licences are in a file of their own.
  legalComments: 'none',
  logLevel: 'warning',
};

/** Like `programs`, with the extension .cjs. */
export const scripts: BuildOptions = {
  ...programs,
  outExtension: { '.js': '.cjs' },
  // `vm.Script` has no loader for `import()`: it becomes a call of `require`.
  supported: { 'dynamic-import': false },
};

/** Scripts for `loadCompiled`. Each is one function expression, which `loadCompiled` calls. */
export const parts: BuildOptions = {
  ...scripts,
  plugins: [apart, packed, ownFetch],
  banner: { js: '(function (exports, require, module) {' },
  footer: { js: '})' },
};

export const partEntries: Readonly<Record<string, string>> = {
  program: 'src/cli/program.ts',
  up: 'src/cli/up-program.ts',
  cluster: 'src/cli/cluster/cluster-main.ts',
  lint: 'src/cli/lint/manifests/lint-manifests.ts',
  ...Object.fromEntries(Object.values(APART).map(({ part, entry }) => [part, entry])),
};

/** Programs that run as separate processes. */
export const processEntries: Readonly<Record<string, string>> = {
  supervise: 'src/cli/container/supervise-main.ts',
  'keep-deadline': 'src/cli/container/keep-deadline-main.ts',
};

export const serveEntry: Readonly<Record<string, string>> = { serve: 'src/cli/serve-main.ts' };
