/**
 * Checks the YAML of the documents with the program that reads it: a server with strict validation, or `lifehook lint`.
 * @module-tag kubectl
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';

import { type ClusterStand, openWholeCluster, run } from './cluster-stand.ts';
import { PROGRAM } from './document-desk.ts';
import { blocksIn, documents } from './document-run.ts';

/** Definitions of other projects' kinds that occur in the documents. */
const FOREIGN_KINDS = 'test/fixtures/documents/foreign-kinds.yaml';
/**
 * The skaffold.yaml to which the lifehook.yaml of docs/pipeline.md refers: an image with hooks, and hooks around its
 * deployment.
 */
const PIPELINE = `apiVersion: skaffold/v4beta13
kind: Config
build:
  tagPolicy: { inputDigest: {} }
  artifacts:
    - image: web
      context: .
      hooks: { before: [{ command: [./generate.sh] }] }
      sync:
        manual: [{ src: 'src/**', dest: . }]
        hooks:
          after: [{ host: { command: ['true'] } }, { container: { command: ['true'] } }]
deploy:
  kubectl:
    hooks: { after: [{ container: { podName: 'web*', command: ['true'] } }] }
`;
/** The object into which a fragment without a kind is inserted. */
const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'a', image: 'a' }] },
};

const blocks = documents().flatMap((document) =>
  blocksIn(document)
    .filter(({ info }) => info === 'yaml')
    .map(({ text, line }) => [`${document}:${line}`, text] as const),
);

let cluster: ClusterStand;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lifehook-yaml-'));
  cluster = await openWholeCluster();
  await cluster.kubectl('apply', '-f', FOREIGN_KINDS);
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function kindOf(text: string): unknown {
  const [first] = parseAllDocuments(text);
  return (first?.toJS() as { readonly kind?: unknown } | undefined)?.kind;
}

/** All errors and warnings about a block. */
async function judge(text: string): Promise<string> {
  const kind = kindOf(text);
  if (kind === 'Pipeline') {
    writeFileSync(join(folder, 'skaffold.yaml'), PIPELINE);
    writeFileSync(join(folder, 'lifehook.yaml'), text);
    mkdirSync(join(folder, 'k8s'), { recursive: true });
    writeFileSync(join(folder, 'k8s/web.yaml'), stringify(POD));
    return lint(join(folder, 'skaffold.yaml'));
  }
  const file = join(folder, 'block.yaml');
  const whole = kind === undefined ? stringify({ ...POD, ...withName(text) }) : text;
  writeFileSync(file, whole);
  const options = ['--dry-run=server', '--validate=strict', '-f', file];
  const { code, stderr } = await cluster.kubectl('create', ...options);
  return `${code === 0 ? '' : stderr}${await lint(file)}`;
}

function withName(fragment: string): object {
  const { metadata, ...rest } = parse(fragment) as { metadata?: object };
  return { ...rest, metadata: { ...POD.metadata, ...metadata } };
}

async function lint(path: string): Promise<string> {
  const { stdout } = await run(process.execPath, [PROGRAM, 'lint', path]);
  const lines = stdout.split('\n');
  // A block shows one object. LHM011 is about referenced objects, which are elsewhere on the page or on the reader's
  // cluster.
  const said = lines.filter((line) => !line.includes('warning LHM011'));
  return said.join('\n').replace(/(?:^|\S+: )0 errors, \d+ warnings?\n$/u, '');
}

describe('a block of YAML', () => {
  it.each(blocks)('%s is valid', async (_place, text) => {
    expect(await judge(text)).toBe('');
  });

  it.each([
    {
      of: 'a custom kind of Lifehook',
      right: 'mariadb-lock',
      wrong: 'oracle',
      reported: 'value: "oracle"',
    },
    { of: 'a policy', right: 'onFailure: fail', wrong: 'onFailure: fial', reported: '"fial"' },
    {
      of: 'an address',
      right: 'build/web/before/0',
      wrong: 'build/w/before/0',
      reported: 'build/w',
    },
    { of: 'a Job', right: 'backoffLimit', wrong: 'backofLimit', reported: '"spec.backofLimit"' },
    { of: 'a Rule', right: 'runInSinglePod', wrong: 'inOnePod', reported: 'actions[0].inOnePod' },
    { of: 'an annotation', right: 'timeout: 20s', wrong: 'timeout: 20', reported: 'annotations' },
  ])('of $of is refused when it is invalid', async ({ right, wrong, reported }) => {
    const [, text = ''] = blocks.find(([, one]) => one.includes(right)) ?? [];
    expect(await judge(text.replace(right, wrong))).toContain(reported);
  });
});
