/**
 * The files for the hosting service: workflows and issue forms. These tests only check them; nothing runs them here.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Workflow {
  readonly name: string;
  readonly on: object;
  readonly permissions: object;
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<string, { readonly needs?: string | readonly string[]; readonly steps: readonly Step[] }>
  >;
}

const WORKFLOWS = '.github/workflows';
const FORMS = '.github/ISSUE_TEMPLATE';

const filesOf = (folder: string): string[] => readdirSync(folder).map((name) => join(folder, name));

function read(path: string): unknown {
  const document = parseDocument(readFileSync(path, 'utf8'), { prettyErrors: true });
  expect(document.errors, path).toEqual([]);
  expect(document.warnings, path).toEqual([]);
  return document.toJS();
}

const workflow = (name: string): Workflow => read(join(WORKFLOWS, name)) as Workflow;
const stepsOf = ({ jobs }: Workflow): readonly Step[] =>
  Object.values(jobs).flatMap(({ steps }) => steps);
const scriptsOf = (from: Workflow): string =>
  stepsOf(from)
    .map(({ run = '' }) => run)
    .join('\n');

describe.each(readdirSync(WORKFLOWS))('the workflow %s', (name) => {
  it('has a trigger, no rights but to read, and jobs that need only jobs that it has', () => {
    const { on, permissions, jobs } = workflow(name);
    expect(Object.keys(on)).not.toEqual([]);
    expect(permissions).toEqual({ contents: 'read' });
    const needed = Object.values(jobs).flatMap(({ needs = [] }) => needs);
    expect(Object.keys(jobs)).toEqual(expect.arrayContaining(needed));
  });

  it('names every action by a whole version', () => {
    const actions = stepsOf(workflow(name)).flatMap(({ uses }) => uses ?? []);
    expect(actions).not.toEqual([]);
    expect(actions.filter((uses) => !/^[\w-]+\/[\w-]+@v\d+\.\d+\.\d+$/.test(uses))).toEqual([]);
  });

  it('runs only scripts that the project has', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const text = scriptsOf(workflow(name));
    const called = [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, one = '']) => one);
    expect(called.filter((one) => scripts[one] === undefined)).toEqual([]);
    const paths = text.match(/\bscripts\/[\w-]+\.ts/g) ?? [];
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });
});

it('ci runs the command of the README that tests', () => {
  const [, , command = ''] =
    /^## Test it$(.*?)^```sh\n(.+?)\n```$/ms.exec(readFileSync('README.md', 'utf8')) ?? [];
  expect(command).toMatch(/\bnpm test$/);
  expect(stepsOf(workflow('ci.yml')).map(({ run }) => run)).toContain(command);
});

it('release publishes the package, the image, the chart and the bills of materials', () => {
  const text = scriptsOf(workflow('release.yml'));
  for (const part of ['npm publish', 'skopeo copy', 'helm push', 'build:sea', '.cdx.json']) {
    expect(text).toContain(part);
  }
});

it('release pushes the chart to another repository than the image', () => {
  const { env } = workflow('release.yml');
  const { name } = read('deploy/chart/Chart.yaml') as { readonly name: string };
  expect(scriptsOf(workflow('release.yml'))).toContain('helm push lifehook-*.tgz "oci://$CHARTS"');
  expect(`${env['CHARTS'] ?? ''}/${name}`).not.toBe(env['IMAGE']);
});

it.each(filesOf(FORMS))('%s is an issue form, or their settings', (path) => {
  const form = read(path) as Readonly<Record<string, unknown>>;
  const fields = ['body', 'description', 'name'];
  if (!path.endsWith('config.yml'))
    expect(Object.keys(form)).toEqual(expect.arrayContaining(fields));
});
