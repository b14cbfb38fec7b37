/**
 * Writes the table of Kubernetes versions for `lifehook lint`, from the OpenAPI documents of each version. The source
 * of Kubernetes has them in the directory api/openapi-spec/v3. The last version must be the newest, which is that of
 * the local cluster:
 *   npx tsx scripts/generate-versions.ts 30=DIRECTORY 31=DIRECTORY …
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { oneLineEach } from './generated-types.ts';
import { namesIn, readOpenApi } from './openapi-table.ts';

const FOLDER = 'packages/local-cluster/src/objects/table';
const DOCUMENT = /^apis?__.*_openapi\.json$/;

interface Release {
  readonly minor: number;
  readonly documents: readonly unknown[];
}

const releases = await Promise.all(process.argv.slice(2).map(readRelease));
const [first, newest] = [releases[0], releases.at(-1)];
if (first === undefined || newest === undefined) throw new Error('name a version: 30=DIRECTORY');
const kinds = kindsOf(releases);
const current = [...kinds].flatMap(([kind, { until }]) => (until === newest.minor ? [kind] : []));
const builtin = JSON.parse(await readFile(`${FOLDER}/builtin-types.json`, 'utf8')) as object;
const types = Object.entries(readOpenApi(newest.documents, current).table).filter(
  ([name]) => !Object.hasOwn(builtin, name),
);
await writeFile(`${FOLDER}/other-types.json`, oneLineEach(Object.fromEntries(types)));
await writeFile(
  `${FOLDER}/version-history.json`,
  oneLineEach({
    versions: { from: first.minor, until: newest.minor },
    kinds: Object.fromEntries([...kinds].toSorted(byName)),
    fields: Object.fromEntries([...newFields(releases)].toSorted(byName)),
  }),
);

async function readRelease(argument: string): Promise<Release> {
  const [minor = '', folder = ''] = argument.split('=');
  const names = (await readdir(folder)).filter((name) => DOCUMENT.test(name)).toSorted();
  const documents = names.map(async (name): Promise<unknown> =>
    JSON.parse(await readFile(join(folder, name), 'utf8')),
  );
  return { minor: Number(minor), documents: await Promise.all(documents) };
}

/** Keyed by "apps/v1/Deployment": the first and the last version that has the kind. */
function kindsOf(all: readonly Release[]): ReadonlyMap<string, { from: number; until: number }> {
  const found = new Map<string, { from: number; until: number }>();
  for (const { minor, documents } of all) {
    for (const kind of documents.flatMap((one) => namesIn(one).kinds)) {
      found.set(kind, { from: found.get(kind)?.from ?? minor, until: minor });
    }
  }
  return found;
}

/**
 * Keyed by "PodSpec.resources": the first version with the field, for fields younger than their type. Types of several
 * groups may share a bare name. Then a field that is young in only one of them is left out.
 */
function newFields(all: readonly Release[]): ReadonlyMap<string, number> {
  const ages = firstVersions(all, (type) => [type]);
  const fields = firstVersions(all, (type, names) => names.map((name) => `${type}.${name}`));
  const young = new Map<string, number>();
  for (const [name, minor] of fields) {
    const owner = name.slice(0, name.lastIndexOf('.'));
    const age = minor === ages.get(owner) ? 0 : minor;
    const bare = name.split('.').slice(-2).join('.');
    young.set(bare, Math.min(young.get(bare) ?? age, age));
  }
  return new Map([...young].filter(([, minor]) => minor > 0));
}

function firstVersions(
  versions: readonly Release[],
  namesOf: (type: string, fields: readonly string[]) => readonly string[],
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { minor, documents } of versions.toReversed()) {
    const all = documents.flatMap((one) => [...namesIn(one).fields]);
    for (const name of all.flatMap(([type, names]) => namesOf(type, names))) {
      found.set(name, minor);
    }
  }
  return found;
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
