/**
 * Builds the command line into dist, or with `--out FOLDER` elsewhere. It consists of small entries and the parts that
 * they load, with V8's compiled code.
 */
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import process from 'node:process';

import { version } from '../src/cli/version.ts';
import { PAGE_FILE } from '../src/timeline/page.ts';
import { buildLibrary } from './build-library.ts';
import { partEntries, parts, processEntries, programs, scripts, serveEntry } from './bundles.ts';
import { LICENCES_FILE, licencesText, packagesIn } from './bundled-packages.ts';
import { type LockedPackage, packageSbom, SBOM_FILE, sbomText } from './sbom.ts';
import { timelinePageHtml } from './timeline-page.ts';

const at = process.argv.indexOf('--out');
const outdir = (at === -1 ? undefined : process.argv[at + 1]) ?? 'dist';

const bundled: Metafile[] = [];

// Removes the whole directory: a shim of another version would not understand the data of this one.
await rm(outdir, { recursive: true, force: true });
await bundle(programs, { lifehook: 'src/main.ts', ...processEntries });
await chmod(`${outdir}/lifehook.js`, 0o755);
await writeFile(`${outdir}/package.json`, '{ "type": "commonjs" }\n');
await bundle(scripts, serveEntry);
await bundle(parts, partEntries);
bundled.push(await buildLibrary(outdir));
await writeFile(`${outdir}/${PAGE_FILE}`, await timelinePageHtml());
const inside = packagesIn(bundled);
const { packages: locked } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const sbom = packageSbom({ version, locked, bundled: inside });
await writeFile(`${outdir}/${SBOM_FILE}`, sbomText(sbom));
await writeFile(`${outdir}/${LICENCES_FILE}`, await licencesText(inside));
// Hides the output of the commands that compile.ts runs.
execFileSync(process.execPath, [...process.execArgv, 'scripts/compile.ts', outdir], {
  stdio: ['ignore', 'ignore', 'inherit'],
});

async function bundle(options: BuildOptions, entryPoints: Record<string, string>): Promise<void> {
  bundled.push((await build({ ...options, entryPoints, outdir, metafile: true })).metafile);
}
