/**
 * The manifests in examples/snapshots: a server accepts them, and `lifehook lint` reports nothing about them.
 * @module-tag kubectl
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

import type { JsonObject } from '../../src/kube/object.ts';
import { resolveRecipe } from '../../src/lifecycles/snapshot/recipes/all-recipes.ts';
import { validateSnapshot } from '../../src/lifecycles/snapshot/schema/validate.ts';
import { type ClusterStand, openWholeCluster } from './cluster-stand.ts';

const FOLDER = 'examples/snapshots';
const files = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'));

let cluster: ClusterStand;

beforeAll(async () => {
  cluster = await openWholeCluster();
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

it.each(files)('%s is accepted unchanged', async (file) => {
  const path = join(FOLDER, file);
  const { code, stderr } = await cluster.kubectl('create', '--dry-run=server', '-f', path);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const document of parseAllDocuments(readFileSync(path, 'utf8'))) {
    const object = document.toJS() as JsonObject;
    if (object['kind'] !== 'ApplicationSnapshot') continue;
    expect(validateSnapshot({ object, resolveRecipe })).toEqual({ errors: [], warnings: [] });
  }
});
