/**
 * The npm packages that are compiled into the program: their list according to the bundler, and their licences. Most of
 * these require their text to be distributed with the program.
 */
import type { Metafile } from 'esbuild';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;

/**
 * Directories of packages with at least one byte in an output. The form is that of npm's lock file: "node_modules/ws".
 */
export function packagesIn(metafiles: readonly Metafile[]): readonly string[] {
  const inputs = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap((output) => Object.entries(output.inputs));
  const folders = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => PACKAGE.exec(path)?.[0] ?? []);
  return [...new Set(folders)].toSorted();
}

export const LICENCES_FILE = 'THIRD-PARTY-LICENCES.txt';

const HEAD = `These packages of npm are compiled into Lifehook, whole or in part. Each has its own licence, which follows its name.
What comes from elsewhere than npm is named in NOTICE.
`;
const RULE = '-'.repeat(80);
/** Names of licence files, and of NOTICE files, which the Apache licence requires to be distributed. */
const LICENCE = /^(?:licen[cs]e|copying|notice)(?:[-.].*)?$/i;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** The licences of installed packages, by directory. Rejects if a package has no licence file. */
export async function licencesText(folders: readonly string[]): Promise<string> {
  const parts = await Promise.all(folders.map(licenceOf));
  return [HEAD, ...parts].join(`\n${RULE}\n`);
}

async function licenceOf(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { name, version, license } = manifest;
  const files = (await readdir(folder)).filter((file) => LICENCE.test(file)).toSorted();
  if (license === undefined || files.length === 0) {
    throw new Error(`${folder} brings no licence: leave it out of the build`);
  }
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const title = `${name} ${version} (${license})`;
  return `${[title, ...texts.map((text) => text.trim())].join('\n\n')}\n`;
}
