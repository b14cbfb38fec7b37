import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { fieldProblemMessage } from '../../../controller/definitions/field-problem.ts';
import type { JsonObject } from '../../../kube/object.ts';
import { readDocuments } from '../../../model/located-document.ts';
import { resolveActions } from './resolve-actions.ts';
import { type Findings, validateHook, validateSnapshot, validateTemplate } from './validate.ts';

const resolveRecipe = (): undefined => undefined;
const reported = ({
  errors,
  warnings,
}: Findings): { errors: string[]; warnings: readonly string[] } => ({
  errors: errors.map(fieldProblemMessage),
  warnings,
});

const textOf = (name: string): string =>
  readFileSync(`test/fixtures/snapshot-documents/${name}.yaml`, 'utf8');
const document = (name: string): JsonObject =>
  readDocuments(name, textOf(name)).documents[0]?.value as JsonObject;

describe("the document's own samples", () => {
  it('are valid in the spelling of their types (SNAP-R2)', () => {
    const none = { errors: [], warnings: [] };
    const hook = (name: string): Findings =>
      validateHook({ object: document(`${name}.type-spelling`), resolveRecipe });
    const nested = (name: string): string =>
      `${name}.action: its handler is used as the handler of ${name}; write it there`;
    expect(reported(hook('hook'))).toEqual({
      errors: [],
      warnings: [nested('spec.preAction'), nested('spec.postAction')],
    });
    expect(reported(hook('hook-two-pods')).errors).toEqual([]);
    const template = document('template.type-spelling');
    expect(reported(validateTemplate({ object: template, resolveRecipe })).errors).toEqual([]);
    expect(validateSnapshot({ object: document('snapshot'), resolveRecipe })).toEqual(none);
  });

  it('are valid in the spelling of their YAML, with a warning', () => {
    for (const name of ['hook', 'hook-two-pods']) {
      const object = document(`${name}.yaml-spelling`);
      expect(reported(validateHook({ object, resolveRecipe }))).toEqual({
        errors: [],
        warnings: ['spec.expirationTimeSeconds: read as expirationSeconds'],
      });
    }
    const object = document('template.yaml-spelling');
    expect(reported(validateTemplate({ object, resolveRecipe }))).toEqual({
      errors: [],
      warnings: ['expirationTimeSeconds: read as expirationSeconds'],
    });
  });

  it('mean the same in both spellings', () => {
    const resolved = (name: string): unknown =>
      resolveActions({
        actions: document(name),
        origin: 'template hook-template-demo',
        resolveRecipe,
      });
    expect(resolved('template.type-spelling')).toEqual(resolved('template.yaml-spelling'));
    expect(resolved('template.type-spelling')).toEqual({
      resolved: {
        policy: 'ExecuteOnce',
        preAction: { exec: { command: ['run_quiesce.sh'] }, actionTimeoutSeconds: 10 },
        postAction: { exec: { command: ['run_unquiesce.sh'] }, actionTimeoutSeconds: 10 },
        expirationSeconds: 30,
        origin: 'template hook-template-demo',
      },
    });
  });

  it('are refused as originally written, with a fix (SNAP-G4)', () => {
    const dashed = (name: string): [number, string][] =>
      readDocuments(name, textOf(name)).problems.map(({ at, next }) => [at?.line ?? 0, next]);
    const blank = 'Put a space after the dash of each item of the list: ';
    expect(dashed('hook.original')).toEqual([[7, `${blank}"- podName: mysqlPod".`]]);
    expect(dashed('hook-two-pods.original')).toEqual([[7, `${blank}"- podName: myPod1".`]]);
    const template = document('template.original');
    const quotes = (name: string, word: string): string =>
      `${name}.exec.command[0]: Invalid value: "“${word}”": the typographic quotes would become part of the argument; write "${word}" with straight quotes`;
    expect(reported(validateTemplate({ object: template, resolveRecipe })).errors).toEqual([
      quotes('preAction', 'run_quiesce.sh'),
      quotes('postAction', 'run_unquiesce.sh'),
    ]);
  });
});

const freeze = { exec: { command: ['freeze'] } };
const list = [{ podName: 'db', containerNames: ['mysql'] }];
const good = { podContainerNamesList: list, preAction: freeze };
const hookErrors = (spec: unknown): string[] =>
  reported(validateHook({ object: { spec } as JsonObject, resolveRecipe })).errors;

describe('a hook', () => {
  const seconds = 'must be a whole number of seconds from 1 to 86400, without quotes or a unit';
  it.each<[string, unknown, string]>([
    ['without a spec', undefined, 'spec: Required value: Targets and actions of the hook.'],
    [
      'without targets (SNAP-CASE1, SNAP-R2)',
      { preAction: freeze },
      'spec.podContainerNamesList: Required value: name the pods and containers here, or give a podSelector or a containerSelector',
    ],
    [
      'with an unknown key in its containerSelector (SNAP-CASE5)',
      { ...good, containerSelector: { name: 'mysql' } },
      'spec.containerSelector: Invalid value: "name": the only key is ContainerName, whose value is the name of a container',
    ],
    [
      'without actions',
      { podContainerNamesList: list },
      'spec.executionHookTemplateName: Required value: name a template, or give a preAction or a recipe',
    ],
    [
      'with a template and actions (SNAP-G1)',
      { ...good, executionHookTemplateName: 't' },
      'spec.preAction: Forbidden: the template sets this: remove it, or executionHookTemplateName',
    ],
    [
      'with a template and a lockScope (SNAP-G1)',
      { podContainerNamesList: list, executionHookTemplateName: 't', lockScope: 'Process' },
      'spec.lockScope: Forbidden: the template sets this: remove it, or executionHookTemplateName',
    ],
    [
      'with a template and a rescue (SNAP-G1)',
      { podContainerNamesList: list, executionHookTemplateName: 't', rescue: {} },
      'spec.rescue: Forbidden: the template sets this: remove it, or executionHookTemplateName',
    ],
    [
      'with a template of another namespace (SNAP-R1)',
      { podContainerNamesList: list, executionHookTemplateName: 'other/t' },
      'spec.executionHookTemplateName: Invalid value: "other/t": the template must be in the namespace of this object: write the name without a namespace',
    ],
    [
      'with the same pod twice',
      { ...good, podContainerNamesList: [...list, ...list] },
      'spec.podContainerNamesList[1].podName: Duplicate value: "db": write it once',
    ],
    [
      'with the same container twice',
      { ...good, podContainerNamesList: [{ podName: 'db', containerNames: ['a', 'a'] }] },
      'spec.podContainerNamesList[0].containerNames[1]: Duplicate value: "a": write it once',
    ],
    [
      'with a timeout that is a string (SNAP-CASE40)',
      { ...good, preAction: { ...freeze, actionTimeoutSeconds: '300' } },
      `spec.preAction.actionTimeoutSeconds: Invalid value: "300": ${seconds}`,
    ],
    [
      'with a timeout far too long (SNAP-CASE40)',
      { ...good, preAction: { ...freeze, actionTimeoutSeconds: 1e12 } },
      `spec.preAction.actionTimeoutSeconds: Invalid value: 1000000000000: ${seconds}`,
    ],
    [
      'with a map for a list (SNAP-G4)',
      { ...good, podContainerNamesList: { '-podName': 'db' } },
      'spec.podContainerNamesList: Invalid value: "-podName": this is not a list: begin each item with a dash and a space, as in "- podName: …"',
    ],
    [
      'with an unknown operator',
      { ...good, podSelector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } },
      'spec.podSelector.matchExpressions[0].operator: Unsupported value: "Is": supported values: "In", "NotIn", "Exists", "DoesNotExist"',
    ],
    [
      'with a port that is neither number nor string',
      { ...good, postAction: { httpGet: { port: true } } },
      'spec.postAction.httpGet.port: Invalid value: true: must be a number, or a name in quotes',
    ],
  ])('%s is refused', (_, spec, message) => {
    expect(hookErrors(spec)).toEqual([message]);
  });

  it('gets warnings for unknown fields and unused selectors (SNAP-R4)', () => {
    const spec = { ...good, podSelector: { matchLabels: {} }, expirationSecond: 3 };
    expect(reported(validateHook({ object: { spec }, resolveRecipe }))).toEqual({
      errors: [],
      warnings: [
        'unknown field "spec.expirationSecond"; did you mean "expirationSeconds"?',
        'spec.podContainerNamesList: only this list counts, the selectors are not used',
      ],
    });
  });

  it('must keep its spec, also before it begins; other changes are not checked', () => {
    const resolved = { status: { resolved: { policy: 'ExecuteAll' } } };
    const before = { spec: good, ...resolved } as unknown as JsonObject;
    const changed = {
      spec: { ...good, expirationSeconds: 9 },
      ...resolved,
    } as unknown as JsonObject;
    expect(reported(validateHook({ object: changed, before, resolveRecipe })).errors).toEqual([
      'spec: Forbidden: the spec of a hook never changes: delete it, and create another one',
    ]);
    const { status: _, ...fresh } = before;
    expect(
      reported(validateHook({ object: changed, before: fresh, resolveRecipe })).errors,
    ).toEqual([
      'spec: Forbidden: the spec of a hook never changes: delete it, and create another one',
    ]);
    const bad = { spec: {} } as JsonObject;
    const released = { ...bad, metadata: { finalizers: [] } } as JsonObject;
    expect(reported(validateHook({ object: released, before: bad, resolveRecipe })).errors).toEqual(
      [],
    );
  });
});

describe('a snapshot', () => {
  const named = { source: { persistentVolumeClaimNames: ['a'] } };
  const selected = { source: { selector: { matchLabels: { app: 'db' } } } };
  const errorsOf = (spec: unknown): string[] =>
    reported(validateSnapshot({ object: { spec } as JsonObject, resolveRecipe })).errors;
  it.each<[string, unknown, string]>([
    [
      'without a source',
      { source: {} },
      'spec.source: Required value: give exactly one of persistentVolumeClaimNames and selector',
    ],
    [
      'with both kinds of sources',
      { source: { ...named.source, ...selected.source } },
      'spec.source.selector: Forbidden: give exactly one of persistentVolumeClaimNames and selector: remove one of them',
    ],
    [
      'with a claim twice',
      { source: { persistentVolumeClaimNames: ['a', 'a'] } },
      'spec.source.persistentVolumeClaimNames[1]: Duplicate value: "a": write it once',
    ],
    [
      'with matchExpressions (SNAP-CASE38)',
      { source: { selector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } } },
      'spec.source.selector.matchExpressions: Forbidden: group snapshots ignore matchExpressions: select the claims by matchLabels',
    ],
    [
      'with mode Group and claim names',
      { ...named, mode: 'Group' },
      'spec.source.selector: Required value: mode Group selects its claims by labels: give a selector instead of names',
    ],
    [
      'with a group class in mode Single',
      { ...named, volumeGroupSnapshotClassName: 'c' },
      'spec.volumeGroupSnapshotClassName: Forbidden: it is for mode Group: set the mode, or give volumeSnapshotClassName',
    ],
    [
      'with a cut deadline above 3600 s',
      { ...selected, cutDeadlineSeconds: 3601 },
      'spec.cutDeadlineSeconds: Invalid value: 3601: must be a whole number of seconds from 1 to 3600, without quotes or a unit',
    ],
    [
      'with a hook without actions (SNAP-R11)',
      { ...named, executionHookInfos: [{}] },
      'spec.executionHookInfos[0].executionHookTemplateName: Required value: name a template, or a recipe',
    ],
    [
      'with an unknown recipe',
      { ...named, executionHookInfos: [{ recipe: { name: 'x' } }] },
      'spec.executionHookInfos[0].recipe.name: Invalid value: "x": there is no such recipe: "lifehook recipes list" lists them',
    ],
    [
      'with an unknown cut signal',
      { ...named, cutSignal: 'ready' },
      'spec.cutSignal: Unsupported value: "ready": supported values: "creationTime", "readyToUse"',
    ],
  ])('%s is refused', (_, spec, message) => {
    expect(errorsOf(spec)).toEqual([message]);
  });

  it('is valid with a group by labels and hooks without targets', () => {
    const executionHookInfos = [{ executionHookTemplateName: 't' }];
    expect(errorsOf({ ...selected, mode: 'Group', executionHookInfos })).toEqual([]);
  });

  it('must not change its spec', () => {
    const before = { spec: named } as JsonObject;
    const object = { spec: selected } as JsonObject;
    expect(reported(validateSnapshot({ object, before, resolveRecipe })).errors).toEqual([
      'spec: Forbidden: the spec of a snapshot never changes: create another one',
    ]);
    expect(validateSnapshot({ object: before, before, resolveRecipe }).errors).toEqual([]);
  });
});
